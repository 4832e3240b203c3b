// Admission: whom an identity provider vouches for becomes one of this server's persons. Called from many threads at
// once.
#pragma once

#include "engine/auth/service.h"
#include "engine/base/result.h"
#include "engine/oidc/provider.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace callisto::sign_in {

class Admission {
 public:
  virtual ~Admission() = default;
  virtual const std::vector<std::string>& claims() const = 0;  // that admit() wants to know
  // 403: nobody; 503: not now. `message` is for the person, `log_detail` for the operator.
  virtual Result<std::int64_t> admit(const oidc::Identity& identity) const = 0;
};

// One sign-in is asked and admitted by the same Admission, whatever is loaded meanwhile.
class Admissions {
 public:
  virtual ~Admissions() = default;
  virtual std::shared_ptr<const Admission> current() = 0;
};

// By the link that an earlier time made, else by login name; nobody is made.
class LinkedAdmission final : public Admission {
 public:
  explicit LinkedAdmission(auth::Service& auth) : auth_(auth) {}  // outlives this
  const std::vector<std::string>& claims() const override { return none_; }
  Result<std::int64_t> admit(const oidc::Identity& identity) const override;

 private:
  auth::Service& auth_;
  const std::vector<std::string> none_;
};

}  // namespace callisto::sign_in
