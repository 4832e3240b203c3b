"""What questions.py asks: what analysts, dashboards, reports and syncs ask of a desk, each as the url of the API and as the best
SQL that a hand writes for it. The SQL's first column is the key, or the count."""
import collections
import datetime
import re

import cases
import question_desk as desk

# `url`: below the API. `sql`: of the floor, with {limit} for what hides rows from the session: the condition of its kind for
# the table that is called c. `sessions`: who asks.
Question = collections.namedtuple("Question", "name url sql sessions")

ALL, STAFF, ADMINISTRATOR = ("administrator", "analyst", "user"), ("administrator", "analyst"), ("administrator",)
LIMITS = {
    "call": {"analyst": f'+c."Partition" = {desk.PARTITION}', "user": f'c."User" = {desk.USER_CALLS} AND c."Partition" = {desk.PARTITION}'},
    "asset": {"analyst": f'(c."RecordType" = \'service\' OR +c."Partition" = {desk.PARTITION})'},
    "person": {"user": f'c."Ref" = {desk.USER_CALLS}'},
    "request": {"user": f'c."User" = {desk.USER_CALLS}'},
    "knowledge": {"user": 'c."State" = 2'},
    "task": {}, "call_history": {},
}
SUMMARY = {
    "call": "Ref CallRef ShortDescription State Priority User Analyst Group LoggedDate DueDate RecordType",
    "asset": "Ref AssetRef Name Status Owner Location RecordType", "person": "Ref Name Email Phone Organization JobTitle",
    "request": "Ref Title State Priority User Analyst Group DueDate",
    "knowledge": "Ref Title Abstract State Author Rating", "task": "Ref Title State Request Analyst Group DueDate RecordType",
    "call_history": "TicketId Order ActionTitle Description Analyst Date",
}
OPEN = "(1, 3, 4)"

# Whatever the floor likes, for the SQL below and no other.
FLOOR_INDEXES = {
    "call": ["State,Priority,LoggedDate", "State,LoggedDate,Priority", "State,DueDate,Group,Analyst,Service",
             "State,ClosedDate,Service,Group", "Group,State,DueDate,Analyst,LoggedDate", "Analyst,State,LoggedDate,DueDate",
             "User,State,LoggedDate", "User,LoggedDate", "Service,State,LoggedDate", "Service,LoggedDate", "UpdatedDate", "ClosedDate",
             "LoggedDate", "Organization,LoggedDate", "Type,State,LoggedDate", "RecordType,LoggedDate,State",
             "RecordType,State,LoggedDate", "Partition,LoggedDate", "State,Breached,LoggedDate", "DueDate,State",
             "Status,State,LoggedDate", "Partition,State,LoggedDate", "CreatedDate", "ResolvedDate", "DueDate", "ClosedDate,Analyst",
             "LoggedBy,LoggedDate"],
    "request": ["State,DueDate", "User,State", "Analyst,State,DueDate", "UpdatedDate", "CreatedDate"],
    "task": ["Analyst,State,DueDate", "Group,State,DueDate,Analyst", "Request", "UpdatedDate", "State,DueDate"],
    "person": ["UpdatedDate", "Organization,Name", "IsAnalyst,IsActive,Name", "IsVip,Name", "LastName"],
    "asset": ["RecordType,Status,Name", "Owner", "User", "WarrantyEnd,RecordType", "UpdatedDate", "Manufacturer", "SerialNumber", "Name"],
    "knowledge": ["State,Rating", "Service,State", "State,Views", "UpdatedDate"],
    "call_history": ["Date,TicketId", "Analyst,Date,TicketId"],
}
TRAILING = {"call": ["IsDeleted", "Partition", "RecordType"], "asset": ["IsDeleted", "Partition", "RecordType"]}
TEXTS = {"Name", "LastName", "Manufacturer", "SerialNumber"}


def columns(table, names=""):
    return ", ".join(f'c."{name}"' for name in (names or SUMMARY[table]).split())


def path(entity, **options):
    return entity + "?" + cases.query(**{name: str(value) for name, value in options.items()})


def order_sql(order):
    def one(key):
        name, descending = key.split()[0], " desc" in key
        folded = " COLLATE folded" if name in TEXTS else ""
        nulls = "" if name == "Ref" else " NULLS LAST" if descending else " NULLS FIRST"
        return f'"{name}"{folded}{" DESC" if descending else ""}{nulls}'
    return ", ".join(map(one, order.split(", ")))


def page_sql(table, where, order, top, skip, names="", joins="", key="Ref"):
    """`where`: of one walk, or a list of them, whose rows are merged. The keys first, then their rows."""
    walks = [where] if isinstance(where, str) else where
    sorted_by = order_sql(order + (f", {key}" if order.split()[0] != key else ""))
    wanted = list(dict.fromkeys([key, *(each.split()[0] for each in order.split(", "))]))
    picked = ", ".join(f'c."{name}"' for name in wanted)
    one = [f'SELECT {picked} FROM "{table}" c WHERE {walk} AND c."IsDeleted" = 0 AND {{limit}} ORDER BY {sorted_by}'
           f" LIMIT {top + skip if len(walks) > 1 else top}" + (f" OFFSET {skip}" if skip and len(walks) == 1 else "") for walk in walks]
    if len(walks) > 1:
        one = ["SELECT * FROM (" + " UNION ALL ".join(f"SELECT * FROM ({each}) b{number}" for number, each in enumerate(one)) +
               f") u ORDER BY {sorted_by} LIMIT {top} OFFSET {skip}"]
    outer = ", ".join(f"k.{each}" for each in sorted_by.split(", "))
    return (f'SELECT {columns(table, names)}{joins and ", " + joins[0]} FROM ({one[0]}) k JOIN "{table}" c ON c."{key}" = k."{key}"'
            f"{joins and ' ' + joins[1]} ORDER BY {outer}")


QUESTIONS = []


def page(name, entity, table, filter_text, where, order, top=30, skip=0, sessions=ALL, select="", names="", joins=""):
    options = {"filter": filter_text, "orderby": order, "top": top}
    options.update({"skip": skip} if skip else {}, **({"select": select} if select else {}))
    if not filter_text:
        del options["filter"]
    QUESTIONS.append(Question(name, path(entity, **options), (table, page_sql(table, where, order, top, skip, names, joins)), sessions))


def count(name, entity, table, filter_text, where, sessions=ALL):
    sql = f'SELECT count(*) FROM "{table}" c WHERE {where} AND c."IsDeleted" = 0 AND {{limit}}'
    QUESTIONS.append(Question(name, path(entity, **({"filter": filter_text} if filter_text else {}), count="true"), (table, sql), sessions))


def states(values, rest=""):
    return [f'c."State" = {value}{rest and " AND " + rest}' for value in values]


def utc(ms):
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


WEEK_AGO, YESTERDAY, MONTH_AGO = desk.END - 7 * desk.DAY, desk.END - desk.DAY, desk.END - 30 * desk.DAY
MOMENT = lambda ms: f"@DateTime({utc(ms)})"
NAMES = "Ref,ShortDescription,LoggedDate,User.Name,Priority.Name,Group.Name,Analyst.Name,State.Name,Status.Name,Type.Name,Organization.Name"
NAME_JOINS = (
    'u."Name", p."Name", g."Name", a."Name", s."Name", st."Name", ty."Name", o."Name"',
    'LEFT JOIN person u ON u."Ref" = c."User" LEFT JOIN call_priority p ON p."Ref" = c."Priority" LEFT JOIN "group" g ON '
    'g."Ref" = c."Group" LEFT JOIN person a ON a."Ref" = c."Analyst" LEFT JOIN call_state s ON s."Ref" = c."State" LEFT JOIN '
    'call_status st ON st."Ref" = c."Status" LEFT JOIN call_type ty ON ty."Ref" = c."Type" LEFT JOIN organization o ON '
    'o."Ref" = c."Organization"')

# Boards of analysts.
page("open of a priority, newest first", "call", "call", "State == 1 && Priority == 2", 'c."State" = 1 AND c."Priority" = 2', "LoggedDate desc")
page("open by due date", "call", "call", "@IsOpen", states((1, 3, 4)), "DueDate")
page("open, newest first", "call", "call", "@IsOpen", states((1, 3, 4)), "LoggedDate desc")
page("overdue", "call", "call", f"@IsOpen && DueDate < {MOMENT(WEEK_AGO)}", states((1, 3, 4), f'c."DueDate" < {WEEK_AGO}'), "DueDate", sessions=ALL)
page("due this week", "call", "call", f"@IsOpen && DueDate >= {MOMENT(WEEK_AGO)} && DueDate < {MOMENT(desk.END)}",
     states((1, 3, 4), f'c."DueDate" >= {WEEK_AGO} AND c."DueDate" < {desk.END}'), "DueDate")
page("of a group, unassigned, open", "call", "call", "Group == 5 && Analyst == null && @IsOpen",
     states((1, 3, 4), 'c."Group" = 5 AND c."Analyst" IS NULL'), "DueDate", sessions=STAFF)
page("open, in no group", "call", "call", "@IsOpen && Group == null", states((1, 3, 4), 'c."Group" IS NULL'), "LoggedDate", sessions=STAFF)
page("of a busy group, open", "call", "call", "Group == 1 && @IsOpen", states((1, 3, 4), 'c."Group" = 1'), "DueDate", sessions=STAFF)
page("of an analyst, open", "call", "call", "Analyst == 150 && @IsOpen", states((1, 3, 4), 'c."Analyst" = 150'), "DueDate", sessions=STAFF)
page("of a busy analyst, open", "call", "call", "Analyst == 7 && @IsOpen", states((1, 3, 4), 'c."Analyst" = 7'), "LoggedDate desc", sessions=STAFF)
page("all of a busy analyst, newest", "call", "call", "Analyst == 7", 'c."Analyst" = 7', "LoggedDate desc", sessions=STAFF)
page("two priorities, open, by due date", "call", "call", "State == 1 && Priority in (1, 2)", 'c."State" = 1 AND c."Priority" IN (1, 2)', "DueDate")
page("not closed, by any state but", "call", "call", "State != 2 && State != 5", states((0, 1, 3, 4)), "LoggedDate desc")
page("breached and open", "call", "call", "@IsOpen && Breached", states((1, 3, 4), 'c."Breached" = 1'), "LoggedDate desc")
page("stopped clocks", "call", "call", "State == 1 && ClockStopped", 'c."State" = 1 AND c."ClockStopped" = 1', "LoggedDate desc", sessions=STAFF)
page("by type, open", "call", "call", "State == 1 && Type == 3", 'c."State" = 1 AND c."Type" = 3', "LoggedDate desc")
page("incidents, newest", "incident", "call", "", 'c."RecordType" = \'incident\'', "LoggedDate desc")
page("open incidents, newest", "incident", "call", "State == 1", 'c."RecordType" = \'incident\' AND c."State" = 1', "LoggedDate desc")
page("problems, open, oldest", "problem", "call", "@IsOpen", states((1, 3, 4), 'c."RecordType" = \'problem\''), "LoggedDate")
page("newest of all", "call", "call", "", "1 = 1", "LoggedDate desc")
page("all by due date", "call", "call", "", "1 = 1", "DueDate", sessions=STAFF)
page("newest of a partition", "call", "call", "Partition == 3", 'c."Partition" = 3', "LoggedDate desc", sessions=ADMINISTRATOR)
page("by priority, then date", "call", "call", "State == 1", 'c."State" = 1', "Priority, LoggedDate", sessions=ALL)

# Of a caller, a service, an organization.
page("of a user, newest", "call", "call", "User == 500", 'c."User" = 500', "LoggedDate desc", sessions=STAFF)
page("of a user, open", "call", "call", "User == 500 && @IsOpen", states((1, 3, 4), 'c."User" = 500'), "LoggedDate desc", sessions=STAFF)
page("of a busy service, open", "call", "call", "Service == 4 && State == 1", 'c."Service" = 4 AND c."State" = 1', "LoggedDate desc")
page("of a service, newest", "call", "call", "Service == 40", 'c."Service" = 40', "LoggedDate desc", sessions=STAFF)
page("of a service, closed", "call", "call", "Service == 40 && @IsClosed", states((2, 5), 'c."Service" = 40'), "LoggedDate desc")
page("of an organization, newest", "call", "call", "Organization == 17", 'c."Organization" = 17', "LoggedDate desc", sessions=STAFF)
page("user's name starts with", "call", "call", 'User.Name.StartsWith("babeba")',
     '''c."User" IN (SELECT "Ref" FROM person WHERE "Name" COLLATE folded >= 'babeba' AND "Name" COLLATE folded < 'babebb' AND "IsDeleted" = 0)''',
     "LoggedDate desc", sessions=STAFF)
page("user's last name", "call", "call", 'User.LastName == "Toteto"',
     """c."User" IN (SELECT "Ref" FROM person WHERE "LastName" COLLATE folded = 'toteto')""", "LoggedDate desc", sessions=STAFF)
page("analyst's name starts with", "call", "call", 'Analyst.Name.StartsWith("b")',
     """EXISTS (SELECT 1 FROM person WHERE "Ref" = c."Analyst" AND "Name" COLLATE folded >= 'b' AND "Name" COLLATE folded < 'c')""",
     "LoggedDate desc", sessions=STAFF)
page("logged by nobody of this name", "call", "call", 'LoggedBy.Name == "nobody"',
     """c."LoggedBy" IN (SELECT "Ref" FROM person WHERE "Name" COLLATE folded = 'nobody')""", "LoggedDate desc", sessions=STAFF)
page("user's department, open", "call", "call", 'User.Department == "Department 9" && State == 1',
     '''c."State" = 1 AND c."User" IN (SELECT "Ref" FROM person WHERE "Department" COLLATE folded = 'department 9')''', "LoggedDate desc", sessions=STAFF)
page("of VIPs, open", "call", "call", "User.IsVip && State == 1", 'c."State" = 1 AND (SELECT "IsVip" FROM person WHERE "Ref" = c."User") = 1',
     "LoggedDate desc", sessions=STAFF)

# Reports and syncs.
page("closed since yesterday", "call", "call", f"ClosedDate > {MOMENT(YESTERDAY)}", f'c."ClosedDate" > {YESTERDAY}', "ClosedDate")
page("resolved since yesterday", "call", "call", f"ResolvedDate > {MOMENT(YESTERDAY)}", f'c."ResolvedDate" > {YESTERDAY}', "ResolvedDate")
page("closed between, of a service", "call", "call",
     f"ClosedDate >= {MOMENT(MONTH_AGO)} && ClosedDate < {MOMENT(WEEK_AGO)} && Service == 4",
     states((2, 5), f'c."ClosedDate" >= {MONTH_AGO} AND c."ClosedDate" < {WEEK_AGO} AND c."Service" = 4'), "ClosedDate")
page("changed since", "call", "call", f"UpdatedDate > {MOMENT(YESTERDAY)}", f'c."UpdatedDate" > {YESTERDAY}', "UpdatedDate", top=100)
page("changed since, by key", "call", "call", f"UpdatedDate > {MOMENT(YESTERDAY)}", f'c."UpdatedDate" > {YESTERDAY}', "Ref", top=100)
page("logged in a month, of a group", "call", "call", f"LoggedDate >= {MOMENT(MONTH_AGO)} && Group == 3",
     f'c."LoggedDate" >= {MONTH_AGO} AND c."Group" = 3', "LoggedDate", sessions=STAFF)
page("closed, deep page", "call", "call", "State == 2", 'c."State" = 2', "LoggedDate desc", skip=20_000, sessions=STAFF)
page("all, deep page", "call", "call", "", "1 = 1", "LoggedDate desc", skip=50_000, sessions=STAFF)
page("eight names", "call", "call", "@IsOpen", states((1, 3, 4)), "DueDate", sessions=STAFF, select=NAMES,
     names="Ref ShortDescription LoggedDate", joins=NAME_JOINS)
page("eight names, of a priority", "call", "call", "State == 1 && Priority == 2", 'c."State" = 1 AND c."Priority" = 2', "LoggedDate desc",
     sessions=STAFF, select=NAMES, names="Ref ShortDescription LoggedDate", joins=NAME_JOINS)
page("changed persons", "person", "person", f"UpdatedDate > {MOMENT(MONTH_AGO)}", f'c."UpdatedDate" > {MONTH_AGO}', "UpdatedDate", top=100)
page("a list of keys", "call", "call", "Ref in (" + ", ".join(str(n) for n in range(11, 411, 20)) + ")",
     'c."Ref" IN (' + ", ".join(str(n) for n in range(11, 411, 20)) + ")", "Ref")
count("count of open", "call", "call", "@IsOpen", f'c."State" IN {OPEN}')
count("count of all", "call", "call", "", "1 = 1")
count("count of incidents, open", "incident", "call", "@IsOpen", f'c."RecordType" = \'incident\' AND c."State" IN {OPEN}')
count("count of a priority, open", "call", "call", "State == 1 && Priority == 1", 'c."State" = 1 AND c."Priority" = 1')
count("count of a group, open", "call", "call", "Group == 1 && @IsOpen", f'c."Group" = 1 AND c."State" IN {OPEN}', STAFF)
count("count of overdue", "call", "call", f"@IsOpen && DueDate < {MOMENT(desk.END)}", f'c."State" IN {OPEN} AND c."DueDate" < {desk.END}')
count("count of closed since", "call", "call", f"ClosedDate > {MOMENT(WEEK_AGO)}", f'c."ClosedDate" > {WEEK_AGO}')
count("count of closed since, of a busy analyst", "call", "call", f"ClosedDate > {MOMENT(MONTH_AGO)} && Analyst == 7",
      f'c."ClosedDate" > {MONTH_AGO} AND c."Analyst" = 7', STAFF)
count("count of logged since, of a service", "call", "call", f"LoggedDate > {MOMENT(WEEK_AGO)} && Service == 4",
      f'c."LoggedDate" > {WEEK_AGO} AND c."Service" = 4', STAFF)
count("count of a type in a month", "call", "call", f"LoggedDate >= {MOMENT(MONTH_AGO)} && Type == 3",
      f'c."LoggedDate" >= {MONTH_AGO} AND c."Type" = 3 AND c."State" IN (0, 1, 2, 3, 4, 5)', STAFF)
count("count of a user", "call", "call", "User == 500", 'c."User" = 500', STAFF)

# Groups, as dashboards and reports count them; the floor's first column is how many rows each has.


def groups(name, entity, table, filter_text, where, by, busiest=None, joins=""):
    options = {"groupby": by, **({"filter": filter_text} if filter_text else {})}
    options.update({"orderby": "__count desc", "top": busiest} if busiest else {})
    names = ", ".join(f'c."{each}"' for each in by.split(","))
    sql = (f'SELECT count(*), {names} FROM "{table}" c WHERE {where or "1 = 1"} AND c."IsDeleted" = 0 AND {{limit}} '
           f'GROUP BY {names} ORDER BY {f"count(*) DESC LIMIT {busiest}" if busiest else names}')
    QUESTIONS.append(Question(name, path(entity, **options), (table, sql), STAFF))


groups("open by state", "call", "call", "@IsOpen", f'c."State" IN {OPEN}', "State")
groups("open by priority and state", "call", "call", "@IsOpen", f'c."State" IN {OPEN}', "Priority,State")
groups("open by group", "call", "call", "@IsOpen", f'c."State" IN {OPEN}', "Group")
groups("open by analyst, the busiest", "call", "call", "@IsOpen", f'c."State" IN {OPEN}', "Analyst", 10)
groups("logged in a week, by service", "call", "call", f"LoggedDate >= {MOMENT(WEEK_AGO)}", f'c."LoggedDate" >= {WEEK_AGO}', "Service", 10)
groups("closed in a month, by analyst", "call", "call", f"ClosedDate >= {MOMENT(MONTH_AGO)}", f'c."ClosedDate" >= {MONTH_AGO}', "Analyst", 10)
groups("tasks by state", "task", "task", "", "", "State")
groups("requests of a service, by state", "request", "request", "Service == 4", 'c."Service" = 4', "State")

# Words.
WORD, RARE = desk.WORDS[0], desk.WORDS[900]


def words(name, word, rest, where, order="LoggedDate desc"):
    found = f'''(contains_folded(c."ShortDescription", '{word}'))'''
    page(name, "call", "call", f'ShortDescription.Contains("{word}")' + rest, found + where, order, sessions=STAFF)


words("a frequent word, newest", WORD, "", "")
words("a frequent word, open, of a group", WORD, " && State == 1 && Group == 5", ' AND c."State" = 1 AND c."Group" = 5')
words("a rare word and open", RARE, " && State == 1", ' AND c."State" = 1')
words("a frequent word of a user", WORD, " && User == 500", ' AND c."User" = 500')

# Joins and lists.
QUESTIONS.append(Question(
    "last history of the open ones", path("call", filter="State == 1 && Priority == 1", orderby="LoggedDate desc", top=30,
                                          leftJoin="Last:CallHistory(TicketId==Ref && Order==LastHistoryOrder)",
                                          select="Ref,ShortDescription,Last.ActionTitle,Last.Date"),
    ("call", page_sql("call", 'c."State" = 1 AND c."Priority" = 1', "LoggedDate desc", 30, 0, "Ref ShortDescription",
                      ('h."ActionTitle", h."Date"', 'LEFT JOIN call_history h ON h."TicketId" = c."Ref" AND h."Order" = c."LastHistoryOrder"'))), STAFF))
page("with a row of history, open", "call", "call", 'State == 1 && history.Any(Action == "close")',
     '''c."State" = 1 AND EXISTS (SELECT 1 FROM call_history h WHERE h."TicketId" = c."Ref" AND h."Action" COLLATE folded = 'close')''',
     "LoggedDate desc", sessions=STAFF)
QUESTIONS.append(Question("history of a call", path("call-history", filter="TicketId == 4711", orderby="Order", top=30),
                          ("call_history", f'SELECT {columns("call_history")} FROM call_history c WHERE c."TicketId" = 4711 AND c."IsDeleted" = 0 '
                           'ORDER BY "Order"'), ADMINISTRATOR))
QUESTIONS.append(Question("history since yesterday", path("call-history", filter=f"Date > {MOMENT(YESTERDAY)}", orderby="Date", top=30),
                          ("call_history", f'SELECT {columns("call_history")} FROM call_history c JOIN call p ON p."Ref" = c."TicketId" '
                           f'WHERE c."Date" > {YESTERDAY} AND c."IsDeleted" = 0 AND p."IsDeleted" = 0 ORDER BY c."Date", c."TicketId" LIMIT 30'),
                          ADMINISTRATOR))
page("of a group, newest of a state", "call", "call", "State == 1 && Group == 5", 'c."State" = 1 AND c."Group" = 5', "LoggedDate desc",
     sessions=STAFF)
for of in ("Analyst", "User"):
    QUESTIONS.append(Question(
        f"sorted by the {of.lower()}'s name", path("call", filter="State == 1 && Group == 5", orderby=f"{of}.Name", top=30),
        ("call", f'SELECT {columns("call")} FROM call c LEFT JOIN person a ON a."Ref" = c."{of}" WHERE c."State" = 1 AND c."Group" = 5 AND '
         'c."IsDeleted" = 0 AND {limit} ORDER BY a."Name" COLLATE folded NULLS FIRST, c."Ref" LIMIT 30'), STAFF))

# Other kinds.
page("requests, open by due date", "request", "request", "State in (1, 2, 3)", states((1, 2, 3)), "DueDate")
page("requests of an analyst", "request", "request", "Analyst == 7 && State == 2", 'c."Analyst" = 7 AND c."State" = 2', "DueDate", sessions=STAFF)
page("requests changed since", "request", "request", f"UpdatedDate > {MOMENT(MONTH_AGO)}", f'c."UpdatedDate" > {MONTH_AGO}', "UpdatedDate")
count("count of open requests", "request", "request", "State == 2", 'c."State" = 2')
page("tasks of an analyst, open", "task", "task", "Analyst == 7 && State == 1", 'c."Analyst" = 7 AND c."State" = 1', "DueDate", sessions=STAFF)
page("tasks of a group, nobody's", "task", "task", "Group == 1 && Analyst == null && State == 1",
     'c."Group" = 1 AND c."Analyst" IS NULL AND c."State" = 1', "DueDate", sessions=STAFF)
page("tasks of a request", "task", "task", "Request == 1000", 'c."Request" = 1000', "Ref", sessions=STAFF)
page("tasks, open by due date", "task", "task", "State == 1", 'c."State" = 1', "DueDate", sessions=STAFF)
page("persons by name", "person", "person", "IsActive", 'c."IsActive" = 1', "Name", sessions=STAFF)
page("analysts by name", "person", "person", "IsAnalyst && IsActive", 'c."IsAnalyst" = 1 AND c."IsActive" = 1', "Name", sessions=STAFF)
page("name starts with", "person", "person", 'Name.StartsWith("babe")',
     '''c."Name" COLLATE folded >= 'babe' AND c."Name" COLLATE folded < 'babf' ''', "Name", sessions=STAFF)
page("person by mail", "person", "person", 'Email == "PERSON77@example.org"', '''c."Email" COLLATE folded = 'person77@example.org' ''', "Ref", sessions=STAFF)
page("persons of an organization", "person", "person", "Organization == 17", 'c."Organization" = 17', "Name", sessions=STAFF)
page("items of a person", "configuration-item", "asset", "User == 500", 'c."RecordType" = \'configuration-item\' AND c."User" = 500', "Ref", sessions=STAFF)
page("items by name", "configuration-item", "asset", "Status == 2", 'c."RecordType" = \'configuration-item\' AND c."Status" = 2', "Name", sessions=STAFF)
page("warranty ends", "configuration-item", "asset", f"WarrantyEnd > {MOMENT(desk.END)}",
     f'c."RecordType" = \'configuration-item\' AND c."WarrantyEnd" > {desk.END}', "WarrantyEnd", sessions=STAFF)
page("serial number", "configuration-item", "asset", 'SerialNumber == "SN0047514"',
     '''c."RecordType" = 'configuration-item' AND c."SerialNumber" COLLATE folded = 'sn0047514' ''', "Ref", sessions=STAFF)
page("articles, best first", "knowledge", "knowledge", "State == 2", 'c."State" = 2', "Rating desc")
page("articles of a service", "knowledge", "knowledge", "Service == 4 && State == 2", 'c."Service" = 4 AND c."State" = 2', "Ref")


def in_postgres(sql):
    sql = re.sub(r'((?:\w+\.)?"\w+") COLLATE folded', r'folded(\1) COLLATE "C"', sql)
    return re.sub(r"contains_folded\((\S+), '(\w+)'\)", r"folded(\1) LIKE '%\2%'", sql)


def floor_sql(question, session):
    table, sql = question.sql
    return sql.replace("{limit}", LIMITS[table].get(session, "1 = 1"))


def floor_index_sql(nulls=""):
    for table, indexes in FLOOR_INDEXES.items():
        for index in indexes:
            names = index.split(",")
            names += [name for name in TRAILING.get(table, ["IsDeleted"]) if name not in names]
            parts = ", ".join(f'"{name}"' + (" COLLATE folded" if name in TEXTS else "") + nulls for name in names)
            yield f'CREATE INDEX "fl_{table}_{index.replace(",", "_")}" ON "{table}" ({parts})'
