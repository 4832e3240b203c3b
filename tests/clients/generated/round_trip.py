"""What openapi-python-client makes of the document, at work: python round_trip.py FOLDER URL."""
import sys

sys.path.insert(0, sys.argv[1])
from desk import AuthenticatedClient, Client  # noqa: E402
from desk.api.call import call_count, call_search  # noqa: E402
from desk.api.incident import (incident_add_attachment, incident_create, incident_download_attachment,  # noqa: E402
                               incident_resolve, incident_update)
from desk.api.sign_in import oauth_login  # noqa: E402
from desk.models import (IncidentAddAttachmentBody, IncidentCreateInput, IncidentResolveInput,  # noqa: E402
                         IncidentUpdateInput, OauthLoginForm, OauthLoginFormGrantType, OauthLoginFormScope)
from desk.types import File  # noqa: E402
import io  # noqa: E402

url = sys.argv[2]
login = OauthLoginForm(grant_type=OauthLoginFormGrantType.PASSWORD, client_id="sample-app", username="analyst",
                       password="callisto", scope=OauthLoginFormScope.SESSION_TYPEANALYST)
token = oauth_login.sync(client=Client(base_url=url), body=login)
desk = AuthenticatedClient(base_url=url, token=token.access_token)

page = call_search.sync(client=desk, filter_="@IsOpen", top=3, inlinecount=True)
assert len(page.results) == 3, page
assert call_count.sync(client=desk, filter_="@IsOpen") == page.field_count

made = incident_create.sync(client=desk, body=IncidentCreateInput(short_description="No ink", impact=2, urgency=1))
refused = incident_resolve.sync(id=made.ref, client=desk, body=IncidentResolveInput(description=""))
assert refused.errors[0].property_ == "Description", refused
lost = incident_update.sync(id=made.ref, client=desk, body=IncidentUpdateInput(short_description="x"), if_match='"0.0"')
assert lost.option == "If-Match", lost
resolved = incident_resolve.sync(id=made.ref, client=desk, body=IncidentResolveInput(description="Filled."))
assert resolved.state == 3, resolved

body = IncidentAddAttachmentBody(file=File(payload=io.BytesIO(b"stripes"), file_name="print.txt"))
file = incident_add_attachment.sync(id=made.ref, client=desk, body=body)
content = incident_download_attachment.sync(id=made.ref, ref=file.ref, client=desk)
assert content.payload.read() == b"stripes", content
print("the round trip is done")
