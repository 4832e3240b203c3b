// libcrypto.so as CivetWeb wants it: nothing but OpenSSL's own below; see engine/http/tls_library.h.
