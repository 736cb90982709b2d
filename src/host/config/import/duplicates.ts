import { definitionOf, type ServerDraft } from '../edit/serverDraft.ts';
import { secretsIn, withoutSecrets } from '../edit/secrets.ts';
import { launchOf, type DefinitionOrigin, type ServerDefinition } from '../serverDefinition.ts';

const nowhere: DefinitionOrigin = { scope: 'user', format: 'settings', place: '' };

/** The configured server with the same launch, its secrets in the file or in inputs. */
export function duplicateOf(
  draft: ServerDraft,
  configured: readonly ServerDefinition[],
): ServerDefinition | undefined {
  const launches = new Set(
    [draft, withoutSecrets(draft, secretsIn(draft.launch))].map((one) =>
      launchOf(definitionOf(one, nowhere)),
    ),
  );
  return configured.find((definition) => launches.has(launchOf({ ...definition, origin: nowhere })));
}
