import { fileURLToPath } from 'node:url';
import { SchemaChecks } from '../../../src/host/schemas/schemaCheck.ts';

/** The program of the thread for checks, which Node runs as it is. */
export const schemaScript = fileURLToPath(
  new URL('../../../src/host/schemas/schemaWorker.ts', import.meta.url),
);

/** Checks for tests that don't end them: the thread starts if it is needed, and keeps no process alive. */
export const schemaChecks = new SchemaChecks(schemaScript);
