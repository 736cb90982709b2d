import assert from 'node:assert/strict';
import { networkCode } from '../../../../../src/host/transport/http/networkFailure.ts';

suite('The code of a failed connection', () => {
  const failed = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });

  for (const code of [
    'ECONNREFUSED',
    'UND_ERR_CONNECT_TIMEOUT',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ]) {
    test(`is ${code}`, () => assert.equal(networkCode(failed(code)), code));
  }

  for (const code of ['ERR_INVALID_URL', 'ABORT_ERR', 'UND_ERR_', 'self_SIGNED', 'E']) {
    test(`is not ${code}`, () => assert.equal(networkCode(failed(code)), undefined));
  }
});
