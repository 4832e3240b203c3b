// A PostgreSQL server of this test program's own: in a temporary folder, reached by a socket in it alone, started by
// the first who asks, stopped and removed when the program ends. It never runs as root: then as `postgres` or `nobody`.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace callisto::test {

class Postgres {
 public:
  // Null, once with a warning on standard error, where PostgreSQL is not installed. Throws where it is and does not
  // start: then it says so, with the server's own log. From the main thread, whose end ends the server.
  static Postgres* running();

  // Another, for who wants to stop it. Null as above.
  static std::unique_ptr<Postgres> make();

  // A hot standby of it, which does not change. Null where pg_basebackup is not installed.
  std::unique_ptr<Postgres> make_standby();
  void promote();  // to a server of its own; comes back when it takes writes

  // As an administrator who is in a hurry: connections are cut, what is committed stays. And again, in the same folder.
  void stop();
  void restart();
  // As when the machine hangs: nobody gets an answer, and connections stay. And on.
  void pause();
  void go_on();

  std::string new_database();  // the url of an empty one, whose own order of texts is that of English
  std::string url_of(const std::string& database) const;
  void execute(const std::string& database, const std::string& sql);  // as somebody else would; throws
  // The first column of what a query finds; throws.
  static std::vector<std::string> select(const std::string& url, const std::string& sql);

  ~Postgres();
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

 private:
  Postgres();
  explicit Postgres(const Postgres* primary);
  void make_cluster();
  void copy_cluster(const Postgres& primary);
  void run(const std::vector<std::string>& command);
  void serve();
  void watch_over_folder();

  int spawn(const std::vector<std::string>& command);

  std::string programs_, folder_;
  int user_ = -1, group_ = -1;
  int process_ = 0;
  int still_here_ = -1;  // the end of a pipe: whoever reads its other end learns that this program died
  int databases_ = 0;
};

}  // namespace callisto::test
