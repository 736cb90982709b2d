import { tokensOfText } from '../tools/tokenEstimate.ts';
import { schemaBeyondBounds, unresolvedReference } from '../schemas/subschemas.ts';
import { textAt, type Schema } from '../schemas/jsonSchema.ts';

/** Tokens of a description that costs a model more than most tools together. */
const LONG_DESCRIPTION = 4_000;
/** What all models take as the name of a tool. */
const usualName = /^[a-zA-Z0-9_-]{1,64}$/;

/** What makes a valid tool hard to use for a model or a host, each as a clause. */
export function toolAdvice(tool: Schema): readonly string[] {
  const description = textAt(tool, 'description') ?? '';
  const tokens = tokensOfText(description);
  return [
    usualName.test(textAt(tool, 'name') ?? '')
      ? undefined
      : 'some models refuse its name: they take 64 characters at most, of A–Z, a–z, 0–9, _ and -',
    description.trim() === '' ? 'it has no description' : undefined,
    tokens >= LONG_DESCRIPTION
      ? `its description costs about ${tokens.toLocaleString('en-US')} tokens in each request of a model`
      : undefined,
    ...['inputSchema', 'outputSchema'].map((field) => schemaAdvice(field, tool[field])),
  ].filter((advice) => advice !== undefined);
}

function schemaAdvice(field: string, schema: unknown): string | undefined {
  const beyond = schema === undefined ? undefined : schemaBeyondBounds(schema);
  if (beyond !== undefined) {
    return `\`${field}\` can't be used: ${beyond}`;
  }
  const reference = unresolvedReference(schema);
  return reference === undefined ? undefined : `\`${field}\` refers to '${reference}', which it doesn't have`;
}
