"""What ./dev bench reads: each case is a url of the API, asked of the product, of the floor (the same SQL asked by raw
sqlite3 or libpq and written by RapidJSON behind a bare CivetWeb callback) and of a bare callback that sends the same
bytes."""
import collections
import urllib.parse

import desk

API = "/service.api/api/v1/"

# `url`: below the API; one that ends with a slash gets a key, {skip} becomes a fifth of the calls.
# `floor`: "record" or "search", what the floor makes of it; None: the bare callback is all that there is.
# `of`: the ways that the product's rate is told beside, the first in the case's own line.
# `scan`: the same search by a word that no index helps with. `tagged`: asked with the record's ETag.
# `grows`: measured on desks of all sizes in turn, too.
Case = collections.namedtuple("Case", "name url floor of scan tagged grows", defaults=(("floor",), None, False, False))


def query(**options):
    return "&".join(f"${name}={urllib.parse.quote(value, safe='{}')}" for name, value in options.items())


def contains(word):
    return "call?" + query(select="Ref,ShortDescription", top="30", filter=f'ShortDescription.Contains("{word}")')


ROW = "Ref,CallRef,ShortDescription,LoggedDate,DueDate,User.Name,Priority.Name,Breached"
SEARCH = "call?" + query(select=ROW, filter='State.Name != "Closed 3" && Breached == false', orderby="LoggedDate desc",
                         top="30")

READS = [
    Case("get by id", "call/", "record", grows=True),
    Case("top-30 search", SEARCH, "search", grows=True),
    Case("metadata", "call/$metadata", None, ("bare",)),
    Case("304 by ETag", "call/", None, ("bare",), tagged=True, grows=True),
    Case("$count", "call?" + query(count="true"), "search"),
    Case("deep $skip", "call?" + query(select=ROW, orderby="LoggedDate desc", top="30", skip="{skip}"), "search"),
    Case("Contains, a rare word", contains(desk.RARE_WORD), "search", scan=contains(desk.TWO_LETTERS)),
    Case("Contains, a word nowhere", contains(desk.NO_WORD), "search", scan=contains(desk.TWO_LETTERS)),
]


def slug(name):
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")


def url_of(case, calls):
    return case.url.replace("{skip}", str(calls // 5))


def example(url):
    """One url of the case."""
    return url + "1" if url.endswith("/") else url


def keys_of(url, calls):
    return calls // desk.KEY_STEP if url.endswith("/") else 0
