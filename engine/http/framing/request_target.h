// CivetWeb drops a request without an answer whose target is a url with another port than its own, or "*". RFC 9112
// 3.2.2: "a server MUST accept the absolute-form in requests". It lets every target pass that begins with '/'. The
// program therefore stands before CivetWeb's own mg_strcasecmp, by which it looks for headers as soon as it has taken a
// head apart: there the first byte of such a target becomes '/', and show_target() makes it what it was. A request
// without any header has no such moment; only HTTP/1.0 allows one. Each thread has one connection.
#pragma once

struct mg_connection;

namespace callisto::http {

void watch_targets(const mg_connection* connection);  // this thread's from now on; null: none
void show_target();                                   // before anything reads the target of the request at hand
bool was_dropped();                                   // the connection ends, and its only request was not shown

}  // namespace callisto::http
