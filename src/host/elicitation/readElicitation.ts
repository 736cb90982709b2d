import { frozenDeep } from '../../base/values/frozenDeep.ts';
import { isRecord } from '../../base/values/record.ts';
import type { FormField } from '../../form/formField.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import { formOf } from '../forms/formOf.ts';
import { asksForSecret } from '../forms/secretField.ts';
import { plainBounds, textBounds } from '../json/bounds.ts';
import { excessOf } from '../json/weight.ts';

/** The first revision with forms (client/elicitation). */
const FIRST_REVISION = '2025-06-18';

/** A server's form, as a copy: nothing of the server's message is kept. */
export interface ElicitationRequest {
  readonly message: string;
  readonly schema: unknown;
  readonly form: FormField;
  /** It asks for a password, a token or a key, which a server must not do in a form. */
  readonly isFlagged: boolean;
}

/**
 * A server's form (client/elicitation, form mode). `revision` is the negotiated one.
 *
 * @throws ElicitationFailure malformed, with a sentence.
 */
export function readElicitation(params: unknown, revision: string): ElicitationRequest {
  // Revisions are dates, which sort as texts.
  if (revision < FIRST_REVISION) {
    throw malformed(`Revision ${revision} has no forms.`);
  }
  const excess = excessOf(params, plainBounds);
  if (excess !== undefined) {
    throw malformed(`The request ${excess}.`);
  }
  const { message, requestedSchema, mode = 'form' } = isRecord(params) ? params : {};
  if (mode !== 'form') {
    throw malformed("Only the mode 'form' is supported.");
  }
  if (typeof message !== 'string' || message.length > textBounds.prose) {
    throw malformed(
      `'message' must be a text of at most ${textBounds.prose.toLocaleString('en-US')} characters.`,
    );
  }
  if (!isRecord(requestedSchema) || requestedSchema['type'] !== 'object') {
    throw malformed("'requestedSchema' must be the schema of an object.");
  }
  const schema = frozenDeep(structuredClone(requestedSchema));
  const form = formOf(schema);
  return { message, schema, form, isFlagged: asksForSecret(message) || hasSecret(form) };
}

function hasSecret(field: FormField): boolean {
  switch (field.kind) {
    case 'object':
      return field.fields.some(hasSecret);
    case 'alternatives':
      return field.isSecret || field.options.some(hasSecret);
    case 'list':
      return field.isSecret || hasSecret(field.item);
    default:
      return field.isSecret;
  }
}

function malformed(message: string): ElicitationFailure {
  return new ElicitationFailure('malformed', message);
}
