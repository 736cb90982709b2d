/** What a server lists, and says that it has changed; resources and their templates are one. */
export type ListKind = 'tools' | 'resources' | 'prompts';
