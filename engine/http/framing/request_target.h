// Lets request targets pass that CivetWeb would drop without an answer: urls with another port than its own, and "*".
// RFC 9112 3.2.2: "a server MUST accept the absolute-form in requests". CivetWeb accepts every target that begins with
// '/'. So the program replaces CivetWeb's own mg_strcasecmp, which CivetWeb calls to find headers as soon as it has
// split a head: there the first byte of such a target becomes '/', and show_target() restores it. This does not work
// for a request without any header, which only HTTP/1.0 allows. Each thread has one connection.
#pragma once

struct mg_connection;

namespace callisto::http {

void watch_targets(const mg_connection* connection);  // this thread's from now on; null: none
void show_target();                                   // before anything reads the target of the request at hand
bool was_dropped();                                   // the connection ends, and its only request was not shown

}  // namespace callisto::http
