import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { registerCommands } from '../commands/commands.ts';

/** The documents in the package: the name of each file in `docs/`, and its title. The overview is README.md with its pictures. */
const topics: Readonly<Record<string, string>> = {
  overview: 'Overview',
  configuration: 'Configuration',
  questions: 'Questions and Decisions',
  warnings: 'Warnings and Notes Before a Launch',
  'loader-variables': 'Variables That Decide Which Code Runs',
  'sign-in': 'Sign-in',
  folders: 'Folders',
  'tools-in-chat': 'Tools in Chat and Activity',
  'model-access': 'Model Access',
  'resources-and-prompts': 'Resources and Prompts',
  troubleshooting: 'Troubleshooting',
  security: 'Security',
};

/** "Open Documentation…", which links in settings and empty views give a topic, and three commands with a topic of their own. */
export function registerDocumentation({
  extensionUri,
  extensionMode,
}: Pick<vscode.ExtensionContext, 'extensionUri' | 'extensionMode'>): Disposable {
  const overview = extensionMode === vscode.ExtensionMode.Production ? 'overview.md' : 'README.md';
  const open = async (topic: string): Promise<void> => {
    const file = topic === 'overview' ? overview : `docs/${topic}.md`;
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extensionUri, file));
  };
  return registerCommands({
    openDocumentation: async (given) => {
      const topic = given !== undefined && Object.hasOwn(topics, given) ? given : await pickTopic();
      if (topic !== undefined) {
        await open(topic);
      }
    },
    openTroubleshooting: () => open('troubleshooting'),
    openQuestionsHelp: () => open('questions'),
    openSignInHelp: () => open('sign-in'),
  });
}

async function pickTopic(): Promise<string | undefined> {
  const rows = Object.entries(topics).map(([topic, label]) => ({ topic, label }));
  const picked = await vscode.window.showQuickPick(rows, { title: 'Select a Topic' });
  return picked?.topic;
}
