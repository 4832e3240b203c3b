// A CivetWeb with nothing around it, which the floors answer behind.
#pragma once

#include <civetweb.h>
#include <pthread.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>

namespace callisto::bench {

// Calls answerer.answer(mg_connection*) for each request, in its own threads, until SIGTERM or SIGINT comes; tells
// where it listens. `answerer` has started no thread, so that none but this one takes the signals.
template <typename Answerer>
int serve_bare(Answerer& answerer) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  mg_callbacks callbacks{};
  callbacks.begin_request = [](mg_connection* client) {
    static_cast<Answerer*>(mg_get_user_data(mg_get_context(client)))->answer(client);
    return 1;
  };
  const char* settings[] = {"listening_ports",
                            "127.0.0.1:0",
                            "num_threads",
                            "64",
                            "enable_keep_alive",
                            "yes",
                            "keep_alive_timeout_ms",
                            "5000",
                            "tcp_nodelay",
                            "1",
                            nullptr};
  mg_init_library(0);
  mg_context* context = mg_start(&callbacks, &answerer, settings);
  mg_server_port port{};
  if (!context || mg_get_server_ports(context, 1, &port) != 1) {
    std::fprintf(stderr, "bench: CivetWeb does not start\n");
    return EXIT_FAILURE;
  }
  std::printf("listening on http://127.0.0.1:%d\n", port.port);
  std::fflush(stdout);
  int received = 0;
  sigwait(&signals, &received);
  mg_stop(context);
  return EXIT_SUCCESS;
}

}  // namespace callisto::bench
