#include "engine/http/certificate.h"

#include "engine/base/log.h"
#include "engine/base/text.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace callisto::http {
namespace {

using BioPointer = std::unique_ptr<BIO, Freed<BIO_free>>;

constexpr std::streamsize largest = 1024 * 1024;

// The text of a file, which may hold a key: it does not stay in memory.
class PemText {
 public:
  explicit PemText(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    text_.resize(largest);
    file.read(text_.data(), largest);
    text_.resize(static_cast<std::size_t>(file.gcount()));
    if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // that editors put before a text
    if (!file.is_open() || file.bad()) problem_ = errno != 0 ? std::strerror(errno) : "it is no file";
  }
  ~PemText() { OPENSSL_cleanse(text_.data(), text_.size()); }
  PemText(const PemText&) = delete;
  PemText& operator=(const PemText&) = delete;

  const std::string& problem() const { return problem_; }
  BioPointer bio() const { return BioPointer(BIO_new_mem_buf(text_.data(), static_cast<int>(text_.size()))); }

 private:
  std::string text_;
  std::string problem_;
};

Error unreadable(const char* setting, const std::string& path, const std::string& problem) {
  return bad_format(std::string(setting) + ": " + path + " cannot be read: " + problem +
                    ". Name a file in PEM form that the user of this server may read.");
}

std::string openssl_reason() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason ? reason : "unknown";
}

// Nothing is typed in at a server: notes that a password is wanted and gives none.
int note_password(char*, int, int, void* wanted) {
  *static_cast<bool*>(wanted) = true;
  return -1;
}

Result<std::vector<X509Pointer>> read_chain(const PemText& text, const std::string& path) {
  std::vector<X509Pointer> chain;
  bool password = false;
  ERR_clear_error();
  const BioPointer bio = text.bio();
  while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, note_password, &password)) chain.emplace_back(next);
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = openssl_reason();
  ERR_clear_error();
  if (at_end && !chain.empty()) return chain;
  const std::string what = at_end ? "holds no certificate"
                                  : "certificate " + std::to_string(chain.size() + 1) + " is damaged (" + reason + ")";
  return bad_format("tls.certificate: " + path + ": " + what +
                    ". Name a PEM file with the server's certificate ('-----BEGIN CERTIFICATE-----') and after it its "
                    "signers' certificates.");
}

Result<KeyPointer> read_key(const PemText& text, const CertificateFiles& files) {
  const std::string where = files.key.empty() ? "tls.certificate: " + files.certificate : "tls.key: " + files.key;
  bool password = false;
  ERR_clear_error();
  KeyPointer key(PEM_read_bio_PrivateKey(text.bio().get(), nullptr, note_password, &password));
  const std::string reason = openssl_reason();
  ERR_clear_error();
  if (key) return key;
  if (password)
    return bad_format(where +
                      ": the private key is encrypted, and a server cannot ask for its password. Decrypt it "
                      "('openssl pkey -in KEY -out NEW') and let nobody but the server's user read the new file.");
  return bad_format(where + ": there is no private key that can be read (" + reason +
                    "). Name its PEM file ('-----BEGIN PRIVATE KEY-----') in tls.key.");
}

void warn_of_readers(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & S_IROTH) != 0)
    log::warning("the private key in " + path + " can be read by every user of this machine: chmod o-r " + path);
}

void warn_of_dates(const X509* certificate, const std::string& path) {
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
    log::warning("tls.certificate: " + path + " has expired; clients will refuse it. Renew it and reload.");
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0)
    log::warning("tls.certificate: " + path + " is not valid yet; clients will refuse it. Is the clock right?");
}

// OpenSSL has rules of its own, such as for the length of keys.
Result<void> check_use(const Certificate& certificate, const std::string& path) {
  const std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context(SSL_CTX_new(TLS_server_method()));
  const std::unique_ptr<SSL, Freed<SSL_free>> connection(SSL_new(context.get()));
  ERR_clear_error();
  if (connection && certificate.use(connection.get())) return {};
  const std::string reason = openssl_reason();
  ERR_clear_error();
  return bad_format("tls.certificate: OpenSSL does not accept " + path + ": " + reason +
                    ". Have a certificate made with an EC key (P-256) or an RSA key of 2048 bits or more.");
}

}  // namespace

Result<std::shared_ptr<const Certificate>> Certificate::read(const CertificateFiles& files) {
  const auto made = std::make_shared<Certificate>();
  const PemText certificates(files.certificate);
  if (!certificates.problem().empty()) return unreadable("tls.certificate", files.certificate, certificates.problem());
  CALLISTO_TRY(made->chain_, read_chain(certificates, files.certificate));
  const std::string& key_file = files.key.empty() ? files.certificate : files.key;
  const PemText key(key_file);
  if (!key.problem().empty()) return unreadable("tls.key", key_file, key.problem());
  CALLISTO_TRY(made->key_, read_key(key, files));
  const bool fits = X509_check_private_key(made->chain_.front().get(), made->key_.get()) == 1;
  ERR_clear_error();
  if (!fits)
    return bad_format("tls.key: the key in " + key_file + " does not belong to the first certificate in " +
                      files.certificate +
                      ". Name the key that the certificate was made for; the server's own certificate comes first, its "
                      "signers' follow.");
  CALLISTO_CHECK(check_use(*made, files.certificate));
  warn_of_readers(key_file);
  warn_of_dates(made->chain_.front().get(), files.certificate);
  return std::shared_ptr<const Certificate>(made);
}

bool Certificate::use(SSL* connection) const {
  if (SSL_use_certificate(connection, chain_.front().get()) != 1 || SSL_use_PrivateKey(connection, key_.get()) != 1 ||
      SSL_clear_chain_certs(connection) != 1)
    return false;
  for (std::size_t i = 1; i < chain_.size(); ++i)
    if (SSL_add1_chain_cert(connection, chain_[i].get()) != 1) return false;
  return true;
}

std::string Certificate::description() const {
  const BioPointer out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), X509_get_subject_name(chain_.front().get()), 0, XN_FLAG_RFC2253);
  BIO_puts(out.get(), " until ");
  ASN1_TIME_print(out.get(), X509_get0_notAfter(chain_.front().get()));
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace callisto::http
