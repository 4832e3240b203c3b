#include "engine/app/sandbox/answering_transport.h"

namespace callisto::app {

void AnsweringTransport::start(webhooks::Request request) {
  webhooks::Response response;
  response.delivery = request.delivery;
  response.outcome = webhooks::Outcome::Http;
  response.status = status_;
  response.address = "the sandbox";
  response.started = clock_.now();
  answered_.push_back(std::move(response));
  sent_({request.delivery, std::move(request.url), status_});
}

}  // namespace callisto::app
