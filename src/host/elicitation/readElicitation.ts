import { frozenDeep } from '../../base/values/frozenDeep.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import type { FormField } from '../../form/formField.ts';
import { hasSecret } from '../../form/keptFields.ts';
import type { ElicitationMode } from '../connection/elicitationSource.ts';
import { formOf } from '../forms/formOf.ts';
import { asksForSecret } from '../forms/secretField.ts';
import { elicitationTexts, plainBounds } from '../json/bounds.ts';
import { faultClause, textFault } from '../json/textFault.ts';
import { excessOf } from '../json/weight.ts';
import { malformedElicitation, readAddress, readReason, type AddressRequest } from './readAddress.ts';

/** The revision in which each mode was new (client/elicitation). Revisions are dates, which sort as texts. */
const firstRevisions = { form: '2025-06-18', url: '2025-11-25' } as const;

/** The revision from which on an address has no ID, and its end no notification (2026-07-28, client/elicitation). */
const WITHOUT_IDS = '2026-07-28';

/** A server's form, as a copy: nothing of the server's message is kept. */
export interface ElicitationRequest {
  readonly mode: 'form';
  readonly message: string;
  readonly schema: unknown;
  readonly form: FormField;
  /** It asks for a password, a token or a key, which a server must not do in a form. */
  readonly isFlagged: boolean;
}

/** A server's request for an address to be opened. */
interface AddressElicitation extends AddressRequest {
  readonly mode: 'url';
}

/**
 * What a server asks of you (client/elicitation). `revision` is the negotiated one, `modes` those that were declared to
 * the server.
 *
 * @throws ElicitationFailure malformed, with a sentence.
 */
export function readElicitation(
  params: unknown,
  revision: string,
  modes: readonly ElicitationMode[],
): ElicitationRequest | AddressElicitation {
  const excess = excessOf(params, plainBounds);
  if (excess !== undefined) {
    throw malformedElicitation(`The request ${excess}.`);
  }
  const fault = textFault(params, elicitationTexts);
  if (fault) {
    throw malformedElicitation(`In the request, ${faultClause(fault)}.`);
  }
  const fields = isRecord(params) ? params : {};
  const { mode = 'form' } = fields;
  const known = modes.find((one) => one === mode);
  if (known === undefined) {
    throw malformedElicitation(`Only these modes are supported: ${modes.join(', ')}.`);
  }
  if (revision < firstRevisions[known]) {
    throw malformedElicitation(`Revision ${revision} has no mode '${known}'.`);
  }
  return known === 'url' ? { mode: known, ...readAddress(fields, revision < WITHOUT_IDS) } : readForm(fields);
}

function readForm({ message: given, requestedSchema }: UnknownRecord): ElicitationRequest {
  const message = readReason(given);
  if (!isRecord(requestedSchema) || requestedSchema['type'] !== 'object') {
    throw malformedElicitation("'requestedSchema' must be the schema of an object.");
  }
  const schema = frozenDeep(structuredClone(requestedSchema));
  const form = formOf(schema);
  return { mode: 'form', message, schema, form, isFlagged: asksForSecret(message) || hasSecret(form) };
}
