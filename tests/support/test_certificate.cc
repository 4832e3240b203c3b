#include "tests/support/test_certificate.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>

namespace callisto::test {

namespace {

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
using Bio = std::unique_ptr<BIO, int (*)(BIO*)>;

std::string text_of(const Bio& bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

std::string make(const Key& key, const char* common_name) {
  const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(common_name), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  for (const auto& [id, value] :
       {std::pair{NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost"}, {NID_basic_constraints, "critical,CA:TRUE"}}) {
    const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, id, value), X509_EXTENSION_free);
    X509_add_ext(certificate.get(), extension.get(), -1);
  }
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const Bio out(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_X509(out.get(), certificate.get());
  PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(out);
}

}  // namespace

std::string make_certificate(const char* name) { return make(Key(EVP_EC_gen("P-256"), EVP_PKEY_free), name); }

std::string make_rsa_certificate(unsigned bits) { return make(Key(EVP_RSA_gen(bits), EVP_PKEY_free), "receiver"); }

std::string key_of(const std::string& certificate) { return certificate.substr(without_key(certificate).size()); }

std::string encrypted_key_of(const std::string& certificate) {
  const Bio in(BIO_new_mem_buf(certificate.data(), static_cast<int>(certificate.size())), BIO_free);
  const Key key(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  const Bio out(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PKCS8PrivateKey(out.get(), key.get(), EVP_aes_256_cbc(), "password", 8, nullptr, nullptr);
  return text_of(out);
}

std::string without_key(const std::string& certificate) {
  return certificate.substr(0, certificate.find("-----BEGIN PRIVATE KEY"));
}

}  // namespace callisto::test
