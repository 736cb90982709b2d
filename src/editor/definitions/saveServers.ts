import { definitionOf, type ServerDraft } from '../../host/config/edit/serverDraft.ts';
import { withServer } from '../../host/config/edit/withServer.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { InputStore } from '../inputs/inputStore.ts';
import { editDefinitions } from './editDefinitions.ts';
import type { SaveTarget } from './saveTargets.ts';
import type { UserSettingsFile } from './userSettingsFile.ts';

export interface SaveDependencies {
  readonly inputs: InputStore;
  readonly userSettings: UserSettingsFile;
  /** Records your approval of exactly this launch, before it is in any file. */
  readonly approve: (definition: ServerDefinition) => Promise<void>;
}

/**
 * Writes confirmed servers into a file as one edit, and keeps the values of their inputs.
 *
 * @param change puts one server into a text.
 * @throws Error that says why the file cannot take them; nothing is written then.
 * @returns whether the file is saved; see `editDefinitions`.
 */
export async function saveServers(
  drafts: readonly ServerDraft[],
  { where, origin }: SaveTarget,
  { inputs, userSettings, approve }: SaveDependencies,
  change: typeof withServer = withServer,
): Promise<boolean> {
  return editDefinitions(origin, userSettings, async (text) => {
    const after = drafts.reduce((before, draft) => change(before, where, draft), text);
    for (const draft of drafts) {
      for (const [id, value] of draft.values) {
        const declared = draft.inputs.find((input) => input.id === id);
        const isPassword = declared?.type === 'promptString' && declared.password;
        await inputs.store({ place: origin.place, id }, isPassword, value);
      }
      await approve(definitionOf(draft, origin));
    }
    return after;
  });
}
