import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { registerCommands } from '../commands/commands.ts';

/** The documents in the package: the name of each file in `docs/`, and its title. The overview is README.md with its pictures. */
const topics: Readonly<Record<string, string>> = {
  overview: 'Overview',
  'getting-started': 'Getting Started',
  servers: 'Servers, Folders and Settings',
  chat: 'Chat, Tools, Prompts and Resources',
  'sign-in': 'Sign-in',
  security: 'Security, Questions and Warnings',
  troubleshooting: 'Troubleshooting',
};

/** "Open Documentation…", which links give a topic and a heading in it, and three commands with a topic of their own. */
export function registerDocumentation({
  extensionUri,
  extensionMode,
}: Pick<vscode.ExtensionContext, 'extensionUri' | 'extensionMode'>): Disposable {
  const overview = extensionMode === vscode.ExtensionMode.Production ? 'overview.md' : 'README.md';
  const open = async (topic: string, heading = ''): Promise<void> => {
    const file = topic === 'overview' ? overview : `docs/${topic}.md`;
    const uri = vscode.Uri.joinPath(extensionUri, file).with({ fragment: heading });
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  };
  return registerCommands({
    openDocumentation: async (given) => {
      // A menu hands over its row.
      const [name = '', heading] = typeof given === 'string' ? given.split('#') : [];
      const topic = Object.hasOwn(topics, name) ? name : await pickTopic();
      if (topic !== undefined) {
        await open(topic, heading);
      }
    },
    openTroubleshooting: () => open('troubleshooting'),
    openQuestionsHelp: () => open('security', 'before-a-launch'),
    openSignInHelp: () => open('sign-in'),
  });
}

async function pickTopic(): Promise<string | undefined> {
  const rows = Object.entries(topics).map(([topic, label]) => ({ topic, label }));
  const picked = await vscode.window.showQuickPick(rows, { title: 'Select a Topic' });
  return picked?.topic;
}
