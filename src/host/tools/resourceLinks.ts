/** A resource that a result names without its content. */
interface ResourceLink {
  readonly name: string;
  /** As the server wrote it. */
  readonly uri: string;
}

/** A link to a resource as a text for a model, which is one line if its name is. */
export function linkText({ name, title, uri, mimeType }: WrittenLink): string {
  const kind = mimeType === undefined ? '' : `, ${mimeType}`;
  return `Resource (not read): ${title ?? name}${kind}: ${uri}`;
}

interface WrittenLink extends ResourceLink {
  readonly title?: string | undefined;
  readonly mimeType?: string | undefined;
}

/**
 * The link that a text for a model was made of. A server can write the same text itself, which gains it nothing: a link is
 * only opened when you select it, and by that server's own resources.
 */
export function linkIn(text: string): ResourceLink | undefined {
  const [, name = '', uri] =
    /^Resource \(not read\): (.*?)(?:, [\w.+-]+\/[\w.+-]+)?: (\S+)$/.exec(text) ?? [];
  return uri === undefined ? undefined : { name, uri };
}
