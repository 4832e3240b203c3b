#include "engine/api/openapi/shared.h"

namespace callisto::api::openapi_texts {

const std::string_view login = R"json("post": {
  "operationId": "Oauth.Login", "tags": ["Sign in"], "summary": "Get tokens",
  "description": "The token endpoint of OAuth 2.0 (RFC 6749). It is below the oauth root too.",
  "security": [],
  "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
    "schema": {"$ref": "#/components/schemas/OauthLoginForm"},
    "example": {"grant_type": "password", "client_id": "sample-app", "username": "analyst", "password": "callisto",
      "scope": "session-type:Analyst"}
  }}},
  "responses": {
    "200": {"description": "Tokens", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OauthToken"}}}},
    "400": {"$ref": "#/components/responses/SignInRefused"},
    "401": {"$ref": "#/components/responses/SignInRefused"},
    "415": {"$ref": "#/components/responses/SignInRefused"},
    "429": {"$ref": "#/components/responses/SignInTooMany"}
  }
})json";

// API rule 6.8.
const std::string_view logout = R"json("post": {
  "operationId": "Oauth.Logout", "tags": ["Sign in"], "summary": "End the session",
  "description": "Ends the session: its refresh token is no longer accepted, and its licence is free.",
  "security": [{"bearer": []}],
  "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
    "schema": {"$ref": "#/components/schemas/OauthTokenForm"}}}},
  "responses": {
    "200": {"description": "Logged out", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OauthDone"}}}},
    "400": {"$ref": "#/components/responses/SignInRefused"},
    "401": {"$ref": "#/components/responses/SignInRefused"},
    "403": {"$ref": "#/components/responses/SignInRefused"},
    "404": {"$ref": "#/components/responses/SignInRefused"},
    "415": {"$ref": "#/components/responses/SignInRefused"}
  }
})json";

const std::string_view revoke = R"json("post": {
  "operationId": "Oauth.Revoke", "tags": ["Sign in"], "summary": "Revoke a token",
  "description": "For standard clients (RFC 7009). An unknown token is no error.",
  "security": [],
  "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
    "schema": {"$ref": "#/components/schemas/OauthRevokeForm"}}}},
  "responses": {
    "200": {"description": "It is gone", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OauthDone"}}}},
    "400": {"$ref": "#/components/responses/SignInRefused"},
    "401": {"$ref": "#/components/responses/SignInRefused"},
    "415": {"$ref": "#/components/responses/SignInRefused"}
  }
})json";

}  // namespace callisto::api::openapi_texts
