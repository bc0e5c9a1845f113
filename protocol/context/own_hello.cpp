#include "protocol/context/own_hello.h"

#include "protocol/context/layout.h"
#include "protocol/version.h"

namespace jostle::protocol::context {

Hello own_hello() {
  Hello hello;
  hello.version_major = version_major;
  hello.version_minor = version_minor;
  hello.schema_hash = schema_hash();
  hello.priors_hash = trained_priors_hash();
  return hello;
}

}  // namespace jostle::protocol::context
