// libcrypto.so as CivetWeb needs it: only OpenSSL's own library below it; see engine/http/tls_library.h.
