import { parentPort } from 'node:worker_threads';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { messageOf } from '../errors/hostError.ts';
import type { CheckOutcome, ToCheck } from './checkThread.ts';
import { compiledSchema, type SchemaCheck } from './compiledSchema.ts';

/** Schemas that are kept compiled. */
const MAX_COMPILED = 50;

/** Characters of the reason why a schema can't be used: it can name a pattern. */
const MAX_REASON = 500;

const compiled = new Map<string, SchemaCheck>();

function checkOf(schema: string): SchemaCheck {
  const check = compiled.get(schema) ?? compiledSchema(AjvJsonSchemaValidator, JSON.parse(schema));
  compiled.delete(schema);
  compiled.set(schema, check);
  const [oldest] = compiled.keys();
  if (compiled.size > MAX_COMPILED && oldest !== undefined) {
    compiled.delete(oldest);
  }
  return check;
}

function answer({ schema, value }: ToCheck): CheckOutcome {
  try {
    const check = checkOf(schema);
    return { kind: 'checked', problem: value === undefined ? undefined : check(JSON.parse(value)) };
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error).slice(0, MAX_REASON) };
  }
}

/** Checks one value after the other. `CheckThread` ends this thread if one takes too long. */
parentPort?.on('message', (message: ToCheck) => parentPort?.postMessage(answer(message)));
parentPort?.postMessage({ kind: 'ready' } satisfies CheckOutcome);
