// Files over HTTP (API rule 4.6): in and out, in forms and in JSON, parts of them, their names and types, and who
// sees them.
#include "shared_desk.h"
#include "tests/unit/http/raw_client.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

struct File {
  std::string name, type, content;
};

const std::string form_of_files = "multipart/form-data; boundary=XX";
const ServerProcess::Headers form_type{"Content-Type: " + form_of_files};
const std::string whole = "0123456789";

std::string part(const File& file) {
  return "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + file.name +
         "\"\r\nContent-Type: " + file.type + "\r\n\r\n" + file.content + "\r\n";
}

std::string form(const std::vector<File>& files) {
  std::string body;
  for (const File& file : files) body += part(file);
  return body + "--XX--\r\n";
}

std::string new_call(std::string_view login = "analyst") {
  return "call/" + desk().done(login, "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
}

Reply uploaded(const std::string& record, const std::vector<File>& files, std::string_view login = "analyst") {
  Reply reply = desk().send(login, "POST", record + "/attachment", form(files), form_type);
  INFO(record << " -> " << reply.status << " " << reply.raw.substr(0, 500));
  REQUIRE(reply.status == 200);
  return reply;
}

// The url of a new file below v1.
std::string new_file(const File& file, const std::string& record = new_call()) {
  return record + "/attachment/" + uploaded(record, {file})["Ref"];
}

// The same by JSON, whose texts may hold what a form's header may not.
Reply described(const std::string& record, std::string_view name, std::string_view type = "text/plain") {
  return desk().send("analyst", "POST", record + "/attachment",
                     R"({"Name": ")" + std::string(name) + R"(", "ContentType": ")" + std::string(type) +
                         R"(", "BinaryData": "eA=="})");
}

Reply content(const std::string& file, const ServerProcess::Headers& headers = {}, std::string_view method = "GET") {
  return desk().send("analyst", method, file + "/content", {}, headers);
}

std::string count(const std::string& record) { return desk().get("admin", record)["AttachmentCount"]; }

// What the server says to a large body that the client has announced and not sent.
int status_of_head(std::string_view login, const std::string& method, const std::string& path,
                   const std::string& type) {
  const std::string& url = desk().server().base_url();
  static std::map<std::string, std::string, std::less<>> tokens;
  std::string& token = tokens[std::string(login)];
  if (token.empty()) token = desk().server().token(login, "session-type:User");
  test::RawClient client(std::stoi(url.substr(url.rfind(':') + 1)));
  client.send(method + " /service.api/api/v1/" + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token +
              "\r\nContent-Type: " + type + "\r\nContent-Length: 30000000\r\nExpect: 100-continue\r\n\r\n");
  return client.read_reply().status;
}

std::string header(const Reply& reply, const char* name) {
  const auto found = reply.headers.find(name);
  return found == reply.headers.end() ? "(none)" : found->second;
}

}  // namespace

TEST_CASE("one file of a form answers its record, several a list; the call counts them and keeps no history of them") {
  const std::string call = new_call();
  const Reply one = uploaded(call, {{"a.txt", "text/plain", whole}});
  CHECK(one["Name"] == "a.txt");
  CHECK(one["FileSize"] == "10");
  CHECK(one["ContentType"] == "text/plain");
  CHECK(one["UploadedBy"] == "2");
  CHECK(one["EntityType"] == "call");
  CHECK("call/" + one["EntityRef"] == call);
  CHECK(one["BinaryData"] == "(none)");
  const Reply two = desk().send("analyst", "POST", call + "/attachments",
                                form({{"b.txt", "text/plain", "b"}, {"c.txt", "text/plain", ""}}), form_type);
  REQUIRE(two.status == 200);
  REQUIRE(two.body.find("results"));
  REQUIRE(two.body.find("results")->items().size() == 2);
  CHECK(text_of(two.body.find("results")->items()[0], "Name") == "b.txt");
  CHECK(text_of(two.body.find("results")->items()[1], "FileSize") == "0");
  const Reply json = desk().done("analyst", "POST", call + "/attachment",
                                 R"({"Name": "d.bin", "ContentType": "a/b", "BinaryData": "AP8NCg=="})");
  CHECK(json["FileSize"] == "4");
  CHECK(content(call + "/attachment/" + json["Ref"]).raw == std::string("\0\xFF\r\n", 4));
  CHECK(desk().get("analyst", call + "/attachment/" + json["Ref"], {{"$select", "BinaryData"}})["BinaryData"] ==
        "AP8NCg==");
  CHECK(count(call) == "4");
  CHECK(desk().refs("analyst", call + "/attachment", {}).size() == 4);
  CHECK(desk().get("analyst", call)["LastHistoryOrder"] == "1");
}

TEST_CASE("the other fields of a form describe its files, and a field that means nothing is told") {
  const std::string call = new_call();
  const auto field = [](const std::string& name, const std::string& value) {
    return "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
  };
  const File file{"a.txt", "text/plain", whole};
  const auto post = [&](const std::string& fields) {
    return desk().send("analyst", "POST", call + "/attachment", fields + form({file}), form_type);
  };
  const Reply one = post(field("Description", "Gr\u00fc\u00dfe") + field("BinaryData", "AAAA"));
  REQUIRE(one.status == 200);
  CHECK(one["Description"] == "Gr\u00fc\u00dfe");
  CHECK(one["Name"] == "a.txt");
  CHECK(content(call + "/attachment/" + one["Ref"]).raw == whole);
  CHECK(post(field("Name", "b.txt"))["Name"] == "b.txt");
  const Reply unknown = post(field("Descripton", "x"));
  CHECK(unknown.status == 400);
  CHECK(unknown.raw.find("Description") != std::string::npos);
  CHECK(post(field("Description", "\xFF")).status == 400);
  CHECK(post(field("Description", std::string(256, 'x'))).status == 400);
  CHECK(count(call) == "2");
  const std::string url = call + "/attachment/" + one["Ref"];
  const Reply put = desk().send("analyst", "PUT", url, field("Description", "new") + form({file}), form_type);
  CHECK(put["Description"] == "new");
}

TEST_CASE("a file is in a partition that its session has access to, as any record") {
  const std::string call = new_call();
  const std::string json = R"({"Name": "a.txt", "BinaryData": "eA==", "Partition": )";
  const auto post = [&](const char* login, const std::string& body) {
    return desk().send(login, "POST", call + "/attachment", body);
  };
  CHECK(post("analyst", json + "2}").status == 403);
  const std::string field = "--XX\r\nContent-Disposition: form-data; name=\"Partition\"\r\n\r\n2\r\n";
  const std::string whole_form = field + form({{"a.txt", "text/plain", whole}});
  CHECK(desk().send("analyst", "POST", call + "/attachment", whole_form, form_type).status == 403);
  CHECK(post("admin", json + "999}")["SubStatus"] == "LinkedRecordNotFound");
  CHECK(count(call) == "0");
  const std::string file = new_file({"a.txt", "text/plain", whole}, call);
  CHECK(desk().send("analyst", "PUT", file, R"({"Partition": 2})").status == 403);
  CHECK(desk().done("admin", "PUT", file, R"({"Partition": 2})")["Partition"] == "2");
}

TEST_CASE("PUT replaces a file or describes it, DELETE takes it away") {
  const std::string call = new_call();
  const std::string file = new_file({"a.txt", "text/plain", whole}, call);
  const Reply first = content(file);
  const Reply said = desk().done("analyst", "PUT", file, R"({"Description": "Ten digits", "Name": "ten.txt"})");
  CHECK(said["Description"] == "Ten digits");
  CHECK(said["FileSize"] == "10");
  CHECK(content(file).raw == whole);
  const Reply replaced = desk().send("analyst", "PUT", file, form({{"b.csv", "text/csv", "1;2"}}), form_type);
  REQUIRE(replaced.status == 200);
  CHECK(replaced["Name"] == "b.csv");
  CHECK(replaced["FileSize"] == "3");
  CHECK(replaced["Description"] == "Ten digits");
  CHECK(content(file).raw == "1;2");
  CHECK(header(content(file), "etag") != header(first, "etag"));
  const Reply alike = desk().send("analyst", "PUT", file, form({{"b.csv", "text/csv", "3;4"}}), form_type);
  CHECK(header(alike, "etag") != header(replaced, "etag"));  // the same name, type and size, but other bytes
  CHECK(alike["UpdatedDate"] >= replaced["UpdatedDate"]);
  CHECK(content(file).raw == "3;4");
  CHECK(desk().done("analyst", "PUT", file, R"({"BinaryData": "eA=="})")["FileSize"] == "1");
  CHECK(content(file).raw == "x");
  CHECK(count(call) == "1");

  CHECK(desk().send("analyst", "PUT", file, form({{"a", "a/b", "1"}, {"b", "a/b", "2"}}), form_type).status == 400);
  for (const char* fixed : {R"({"FileSize": 7})", R"({"EntityRef": 1})", R"({"EntityType": "person"})",
                            R"({"UploadedBy": 1})", R"({"Name": ""})", R"({"BinaryData": "?"})"})
    CHECK(desk().send("analyst", "PUT", file, fixed).status == 400);
  const Reply old = desk().send("analyst", "DELETE", file, {}, {"If-Match: " + header(replaced, "etag")});
  CHECK(old.status == 400);
  CHECK(old["SubStatus"] == "NotAllowed");

  CHECK(desk().done("analyst", "DELETE", file)["_self"] == "api:v1/" + file);
  CHECK(desk().get("analyst", file)["SubStatus"] == "LinkedRecordNotFound");
  CHECK(content(file).status == 404);
  CHECK(desk().send("analyst", "DELETE", file).status == 404);
  CHECK(count(call) == "0");
}

TEST_CASE("a range of a file") {
  struct Case {
    const char* range;
    int status;
    const char *bytes, *content_range;
  };
  const Case cases[] = {{"bytes=0-3", 206, "0123", "bytes 0-3/10"},
                        {"bytes=7-", 206, "789", "bytes 7-9/10"},
                        {"bytes=-3", 206, "789", "bytes 7-9/10"},
                        {"bytes=-99", 206, "0123456789", "bytes 0-9/10"},
                        {"bytes=3-99", 206, "3456789", "bytes 3-9/10"},
                        {"bytes=9-9", 206, "9", "bytes 9-9/10"},
                        {"BYTES=0-0", 206, "0", "bytes 0-0/10"},
                        {"bytes=8-99999999999999999999999", 206, "89", "bytes 8-9/10"},
                        {"bytes=-99999999999999999999999", 206, "0123456789", "bytes 0-9/10"},
                        {"bytes=10-", 416, "", "bytes */10"},
                        {"bytes=10-12", 416, "", "bytes */10"},
                        {"bytes=99999999999999999999999-", 416, "", "bytes */10"},
                        {"bytes=-0", 416, "", "bytes */10"},
                        {"bytes=0-1,4-5", 200, "0123456789", "(none)"},
                        {"bytes=5-2", 200, "0123456789", "(none)"},
                        {"bytes=a-b", 200, "0123456789", "(none)"},
                        {"bytes=-", 200, "0123456789", "(none)"},
                        {"bytes=--1", 200, "0123456789", "(none)"},
                        {"bytes=1", 200, "0123456789", "(none)"},
                        {"items=0-1", 200, "0123456789", "(none)"}};
  const std::string file = new_file({"a.txt", "text/plain", whole});
  const std::string etag = header(content(file), "etag");
  for (const Case& each : cases) {
    INFO(each.range);
    const std::string range = std::string("Range: ") + each.range;
    const Reply reply = content(file, {range});
    CHECK(reply.status == each.status);
    if (each.status == 416) CHECK(reply["Message"] == "Range: there are 10 bytes, counted from 0.");
    else CHECK(reply.raw == each.bytes);
    CHECK(header(reply, "content-range") == each.content_range);
    CHECK(header(reply, "accept-ranges") == "bytes");
    CHECK(content(file, {range, "If-Range: " + etag}).status == each.status);
    CHECK(content(file, {range, "If-Range: \"other\""}).raw == whole);
    CHECK(content(file, {range, "If-Range: W/" + etag}).status == 200);
    CHECK(content(file, {range, "If-Range: Sat, 21 Nov 2026 20:00:00 GMT"}).status == 200);
    CHECK(content(file, {range, "If-None-Match: " + etag}).status == 304);
    CHECK(content(file, {range}, "HEAD").status == 200);  // RFC 9110 14.2: GET alone has ranges
  }
}

TEST_CASE("a file has an ETag and a HEAD; an empty one has no range") {
  const std::string file = new_file({"a.txt", "text/plain", whole});
  const Reply head = content(file, {}, "HEAD");
  CHECK(head.status == 200);
  CHECK(head.raw.empty());
  CHECK(header(head, "content-length") == "10");
  const std::string etag = header(head, "etag");
  CHECK(etag.size() > 2);
  for (const std::string& tags : {etag, "\"x\", " + etag, "W/" + etag, std::string("*")}) {
    INFO(tags);
    const Reply same = content(file, {"If-None-Match: " + tags});
    CHECK(same.status == 304);
    CHECK(same.raw.empty());
    CHECK(header(same, "etag") == etag);
  }
  CHECK(content(file, {"If-None-Match: \"x\""}).raw == whole);
  const std::string empty = new_file({"a.txt", "text/plain", ""});
  CHECK(content(empty).status == 200);
  CHECK(content(empty).raw.empty());
  CHECK(content(empty, {"Range: bytes=0-"}).status == 416);
}

TEST_CASE("a file's name is data, whatever it holds") {
  const auto disposition = [](const std::string& ascii, const std::string& encoded) {
    return "attachment; filename=\"" + ascii + "\"; filename*=UTF-8''" + encoded;
  };
  const std::string longest(255, 'n');
  const std::pair<std::string, std::string> names[] = {
      {R"(a \"b\".txt)", disposition("a _b_.txt", "a%20%22b%22.txt")},
      {"../../etc/passwd", disposition("passwd", "passwd")},
      {R"(C:\\temp\\x)", disposition("x", "x")},
      {"..", disposition("_", "_")},
      {"a/", disposition("_", "_")},
      {R"(a\r\nSet-Cookie: b=c)", disposition("a__Set-Cookie: b=c", "a__Set-Cookie%3A%20b%3Dc")},
      {R"(\u0001\u007f)", disposition("__", "__")},
      {"Prüfung €.pdf", disposition("Pr__fung ___.pdf", "Pr%C3%BCfung%20%E2%82%AC.pdf")},
      {R"(\u202egpj.exe)", disposition("___gpj.exe", "%E2%80%AEgpj.exe")},
      {"%41'*.txt", disposition("_41'*.txt", "%2541%27%2A.txt")},
      {longest, disposition(longest, longest)}};
  const std::string call = new_call();
  for (const auto& [name, expected] : names) {
    INFO(name);
    const Reply file = described(call, name);
    REQUIRE(file.status == 200);
    const Reply reply = content(call + "/attachment/" + file["Ref"]);
    CHECK(header(reply, "content-disposition") == expected);
    CHECK(header(reply, "set-cookie") == "(none)");
    CHECK(reply.raw == "x");
  }
  std::string umlauts;
  for (int i = 0; i < 255; ++i) umlauts += "ü";
  CHECK(described(call, umlauts).status == 200);  // length counts characters
  const std::string before = count(call);
  for (const std::string& name : {longest + "n", umlauts + "n", std::string(), std::string(R"(a\u0000b)")}) {
    const Reply refused = described(call, name);
    CHECK(refused.status == 400);
    CHECK(refused.errors() == std::set<std::string>{"Name"});
  }
  CHECK(count(call) == before);
  CHECK(desk().send("analyst", "POST", call + "/attachment", form({{"\xFF", "a/b", "x"}}), form_type).status == 400);
}

TEST_CASE("what a browser would run is handed out as a file, in a sandbox, of the type it says") {
  const std::string script = "<script>alert(1)</script>";
  for (const char* type : {"text/html", "text/html; charset=utf-8", "image/svg+xml", "application/xhtml+xml",
                           "text/xml", "application/javascript", "text/javascript"}) {
    INFO(type);
    const Reply reply = content(new_file({"a.html", type, script}));
    CHECK(reply.raw == script);
    CHECK(header(reply, "content-disposition").starts_with("attachment;"));
    CHECK(header(reply, "x-content-type-options") == "nosniff");
    CHECK(header(reply, "content-security-policy") == "default-src 'none'; frame-ancestors 'none'; sandbox");
  }
  const std::string call = new_call();
  for (const char* type : {"nonsense", "/", "text/", R"(a/b\r\nX-Evil: 1)", R"(a/\"b)", "a/<b>", "ä/b"}) {
    INFO(type);
    const Reply file = described(call, "a.txt", type);
    REQUIRE(file.status == 200);
    const Reply reply = content(call + "/attachment/" + file["Ref"]);
    CHECK(header(reply, "content-type") == "application/octet-stream");
    CHECK(header(reply, "x-evil") == "(none)");
  }
  CHECK(described(call, "a", "a/" + std::string(126, 'b')).errors() == std::set<std::string>{"ContentType"});
}

TEST_CASE("the image of a person goes in raw or as a form, and out as what its bytes are") {
  const std::string png = "\x89PNG\r\n\x1a\nrest", image = "person/4/image";
  const auto get = [&] { return desk().send("user", "GET", image); };
  CHECK(get().status == 404);
  CHECK(desk().send("user", "PUT", image, png, {"Content-Type: image/png"}).status == 200);
  CHECK(get().raw == png);
  CHECK(header(get(), "content-type") == "image/png");
  CHECK(desk().send("user", "GET", image, {}, {"If-None-Match: " + header(get(), "etag")}).status == 304);
  CHECK(desk().send("user", "GET", image, {}, {"Range: bytes=1-3"}).raw == "PNG");
  CHECK(desk().send("user", "PUT", image, form({{"a", "text/html", "<script>"}}), form_type).status == 200);
  CHECK(get().raw == "<script>");
  CHECK(header(get(), "content-type") == "application/octet-stream");
  CHECK(header(get(), "content-security-policy") == "default-src 'none'; frame-ancestors 'none'; sandbox");
  CHECK(desk().get("user", "person/4")["Image"] == "(none)");
  const std::string field = "--XX\r\nContent-Disposition: form-data; name=\"LastName\"\r\n\r\nSmith\r\n";
  CHECK(desk().send("user", "PUT", image, field + form({{"a", "image/png", png}}), form_type).status == 400);
  CHECK(desk().send("user", "PUT", image, {}, {"Content-Type: image/png"}).status == 400);
  for (const char* method : {"GET", "PUT", "DELETE"}) {
    const Reply hidden = desk().send("user", method, "person/5/image", "x", {"Content-Type: image/png"});
    CHECK(hidden.status == 404);
    CHECK(hidden.raw == desk().send("user", method, "person/99999/image", "x", {"Content-Type: image/png"}).raw);
  }
  CHECK(desk().done("user", "DELETE", image)["_self"] == "api:v1/person/4");
  CHECK(get().status == 404);
}

TEST_CASE("20 MiB go in and out unchanged; what is over a limit leaves nothing") {
  const std::string call = new_call();
  std::string large(std::size_t{20} * 1024 * 1024, '\0');
  std::uint32_t noise = 1;
  for (char& c : large) c = static_cast<char>((noise = noise * 1664525 + 1013904223) >> 24);
  const Reply file = uploaded(call, {{"large.bin", "application/octet-stream", large}});
  CHECK(file["FileSize"] == std::to_string(large.size()));
  const std::string path = call + "/attachment/" + file["Ref"];
  CHECK((content(path).raw == large));
  CHECK((content(path, {"Range: bytes=20971510-"}).raw == large.substr(20971510)));

  const auto files = [] { return desk().get("admin", "attachment", {{"$count", "true"}}).raw; };
  const std::string before = files();
  const std::string too_large(std::size_t{25} * 1024 * 1024 + 1, 'x');
  const std::string url = call + "/attachment";
  const Reply refused =
      desk().send("analyst", "POST", url, form({{"a", "a/b", "1"}, {"b", "a/b", too_large}}), form_type);
  CHECK(refused.status == 400);
  CHECK(refused["Message"].find("25 MiB") != std::string::npos);
  CHECK(desk().send("analyst", "PUT", path, form({{"b", "a/b", too_large}}), form_type).status == 400);
  std::string base64(too_large.size() / 3 * 4 + 4, 'A');
  CHECK(desk().send("analyst", "POST", url, R"({"Name": "b", "BinaryData": ")" + base64 + "\"}").status == 400);
  base64.resize(std::size_t{40} * 1024 * 1024, 'A');
  CHECK(desk().send("analyst", "POST", url, R"({"Name": "b", "BinaryData": ")" + base64 + "\"}").status == 413);
  CHECK(desk().send("analyst", "PUT", "person/4/image", too_large, {"Content-Type: image/png"}).status >= 400);
  CHECK(desk().get("analyst", "person/4/image").status == 404);
  CHECK(files() == before);
  CHECK(count(call) == "1");
  CHECK((content(path).raw == large));
}

TEST_CASE("a broken form is 400 and leaves nothing, of the parts before the break either") {
  const std::string good = part({"good.txt", "text/plain", "x"}), field = "--XX\r\nContent-Disposition: form-data";
  const std::string type = "multipart/form-data; boundary=XX";
  const std::pair<std::string, std::string> forms[] = {
      {"multipart/form-data", good + "--XX--"},
      {"multipart/form-data; boundary=", good + "--XX--"},
      {"multipart/form-data; boundary=XX; boundary=XX", good + "--XX--"},
      {"multipart/form-data; boundary=XX; boundary=YY", good + "--XX--"},
      {"multipart/form-data; boundary=YY", good + "--XX--"},
      {"multipart/form-data; boundary=" + std::string(71, 'X'), good},
      {type, good},
      {type, good + "--XX"},
      {type, good.substr(0, good.size() - 3)},
      {type, "--XX--"},
      {type, good + field + "\r\n\r\nx\r\n--XX--"},
      {type, good + field + "; filename=\"a\"\r\n\r\nx\r\n--XX--"},
      {type, good + field + "; name=\"a\"; name=\"b\"; filename=\"a\"\r\n\r\nx\r\n--XX--"},
      {type, good + "--XX\r\nContent-Type: text/plain\r\n\r\nx\r\n--XX--"},
      {type, good + "--XX\r\nno colon\r\n\r\nx\r\n--XX--"},
      {type, good + field + "; name=a; filename=a\r\nX: " + std::string(9000, 'h') + "\r\n\r\nx\r\n--XX--"},
      {type, field + "; name=\"only a field\"\r\n\r\nx\r\n--XX--"},
      {type, "x"}};
  const std::string call = new_call();
  const std::string file = new_file({"a.txt", "text/plain", whole}, call);
  for (const auto& [content_type, body] : forms) {
    INFO(content_type << "\n" << body.substr(0, 300));
    const ServerProcess::Headers headers{"Content-Type: " + content_type};
    const Reply refused = desk().send("analyst", "POST", call + "/attachment", body, headers);
    INFO(refused.raw);
    CHECK(refused.status == 400);
    CHECK(refused["Type"] != "(none)");
    CHECK(desk().send("analyst", "PUT", file, body, headers).status == 400);
    CHECK(desk().send("analyst", "PUT", "person/2/image", body, headers).status == 400);
    CHECK(desk().send("analyst", "POST", "call/99999999/attachment", body, headers).status == 404);
  }
  CHECK(count(call) == "1");
  CHECK(content(file).raw == whole);
}

TEST_CASE("files of a record that the session does not see are missing, byte for byte") {
  const std::string foreign = new_call(), other = new_call("user");
  const std::string ref = uploaded(foreign, {{"a.txt", "text/plain", whole}})["Ref"];
  const std::string missing = "99999999";
  const ServerProcess::Headers json{"Content-Type: application/json"};
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "POST"})
    for (const std::string& rest : {"/attachment/" + ref, "/attachment/" + ref + "/content", std::string("/attachment"),
                                    "/attachment/" + ref + "/$options"}) {
      INFO(method << " " << rest);
      const Reply hidden = desk().send("user", method, foreign + rest, "{}", json);
      CHECK((hidden.status == 404 || hidden.status == 405));
      const Reply none = desk().send("user", method, "call/" + missing + rest, "{}", json);
      CHECK(hidden.status == none.status);
      CHECK(hidden.raw == none.raw);
    }
  CHECK(desk().get("user", "attachment/" + ref).raw == desk().get("user", "attachment/" + missing).raw);
  CHECK(desk().refs("user", "attachment", {{"$filter", "Ref == " + ref}}).empty());
  // Below a record of one's own: the file of another record is no more than a missing one.
  for (const char* method : {"GET", "PUT", "DELETE"}) {
    const Reply elsewhere = desk().send("user", method, other + "/attachment/" + ref, R"({"Name": "b"})");
    CHECK(elsewhere.status == 404);
    CHECK(elsewhere["SubStatus"] == "LinkedRecordNotFound");
    CHECK(elsewhere.raw == desk().send("user", method, other + "/attachment/" + missing, R"({"Name": "b"})").raw);
  }
  CHECK(uploaded(other, {{"mine.txt", "text/plain", "x"}}, "user")["UploadedBy"] == "4");
  CHECK(content(foreign + "/attachment/" + ref).raw == whole);
}

TEST_CASE("whether a file may be sent at all is answered before it comes") {
  const std::string article = "knowledge/" + desk().done("analyst", "POST", "knowledge", R"({"Title": "x"})")["Ref"];
  desk().done("analyst", "PUT", article + "/publish");
  const std::string file = new_file({"a.txt", "text/plain", whole}, article);
  const std::string own = new_call("user"), foreign = new_call(), json = "application/json", png = "image/png";
  CHECK(status_of_head("user", "POST", article + "/attachment", json) == 403);
  CHECK(status_of_head("user", "POST", article + "/attachment", form_of_files) == 403);
  CHECK(status_of_head("user", "POST", article + "/attachment", png) == 403);
  CHECK(status_of_head("user", "PUT", file, json) == 403);
  CHECK(status_of_head("user", "PUT", article + "/attachment/99999999", json) == 404);
  CHECK(status_of_head("user", "POST", foreign + "/attachment", json) == 404);
  CHECK(status_of_head("user", "POST", own + "/attachment", png) == 415);
  CHECK(status_of_head("user", "PUT", "person/4/image", json) == 415);
  for (const std::string& type : {json, form_of_files})
    CHECK(status_of_head("user", "POST", own + "/attachment", type) == 100);
  CHECK(status_of_head("user", "PUT", "person/4/image", png) == 100);
}

TEST_CASE("a lock keeps others from a record's files too") {
  const std::string call = new_call();
  const std::string file = new_file({"a.txt", "text/plain", whole}, call);
  desk().done("analyst", "PUT", call + "/lock");
  const Reply refused =
      desk().send("analyst2", "POST", call + "/attachment", form({{"b.txt", "text/plain", "b"}}), form_type);
  CHECK(refused.status == 400);
  CHECK(refused["SubStatus"] == "NotAllowed");
  CHECK(desk().send("analyst2", "PUT", file, R"({"Name": "b"})").status == 400);
  CHECK(desk().send("analyst2", "DELETE", file).status == 400);
  CHECK(desk().send("analyst2", "GET", file + "/content").raw == whole);
  uploaded(call, {{"c.txt", "text/plain", "c"}});
  CHECK(count(call) == "2");
}

TEST_CASE("how large files and bodies may be is set") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "limits.attachment=1K", "--set", "limits.body=4K"});
  const Client analyst(server, server.token("analyst", "session-type:Analyst"));
  const Answer made = analyst.send("POST", "v1/call", R"({"ShortDescription": "x"})");
  const std::string path = "v1/call/" + json::parse(made.body)->find("Ref")->text() + "/attachment";
  const auto send = [&](std::size_t size) {
    return analyst.send("POST", path, form({{"a", "text/plain", std::string(size, 'x')}}), form_type);
  };
  CHECK(send(1024).status == 200);
  const Answer over = send(1025);
  CHECK(over.status == 400);
  CHECK(over.body.find("at most 1024 bytes") != std::string::npos);
  CHECK(send(5000).status == 413);
}

TEST_CASE("a form names its files as browsers, .NET and others do") {
  const std::string head = "--XX\r\nContent-Disposition: form-data; name=file; ", content_of = "\r\n\r\nx\r\n";
  const std::pair<std::string, std::string> names[] = {
      {"filename=\"=?utf-8?B?w5xiZXJzaWNodC5wZGY=?=\"; filename*=utf-8''%C3%9Cbersicht.pdf", "Übersicht.pdf"},
      {"filename*=utf-8''%C3%9Cbersicht.pdf", "Übersicht.pdf"},
      {"filename=\"Ubersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf", "Übersicht.pdf"},
      {"filename*=ISO-8859-1'de'%DCbersicht.pdf; filename=u", "Übersicht.pdf"}};
  const std::string call = new_call();
  for (const auto& [parameters, name] : names) {
    INFO(parameters);
    const Reply file =
        desk().send("analyst", "POST", call + "/attachment", head + parameters + content_of + "--XX--", form_type);
    REQUIRE(file.status == 200);
    CHECK(file["Name"] == name);
  }
  const std::string unused = head + "filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n";
  const Reply beside = desk().send("analyst", "POST", call + "/attachment",
                                   unused + part({"a.txt", "text/plain", "x"}) + unused + "--XX--\r\n", form_type);
  INFO(beside.raw);
  CHECK(beside.status == 200);
  CHECK(beside["Name"] == "a.txt");
  CHECK(desk().send("analyst", "POST", call + "/attachment", unused + "--XX--\r\n", form_type).status == 400);
  const std::string before = count(call);
  const Reply encoded =
      desk().send("analyst", "POST", call + "/attachment",
                  head + "filename=a\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n--XX--", form_type);
  CHECK(encoded.status == 400);
  CHECK_THAT(encoded["Message"], Catch::Contains("Content-Transfer-Encoding 'base64'"));
  CHECK(count(call) == before);
}

TEST_CASE("base64 of a body may come in lines, and a file without bytes is empty") {
  const std::string call = new_call();
  for (const char* text : {"aGVs\\r\\nbG8=", "aGVsbG8=\\n", " aGVs bG8=\\t"}) {
    const Reply file = desk().done("analyst", "POST", call + "/attachment",
                                   R"({"Name": "a", "BinaryData": ")" + std::string(text) + "\"}");
    CHECK(file["FileSize"] == "5");
    CHECK(content(call + "/attachment/" + file["Ref"]).raw == "hello");
  }
  for (const char* body : {R"({"Name": "none"})", R"({"Name": "none", "BinaryData": null})"}) {
    const Reply file = desk().done("analyst", "POST", call + "/attachment", body);
    CHECK(file["FileSize"] == "0");
    CHECK(content(call + "/attachment/" + file["Ref"]).status == 404);  // there are none to be had
  }
}
