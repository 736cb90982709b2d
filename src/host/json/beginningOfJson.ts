import { isRecord } from '../../base/values/record.ts';

/** The first characters, at most so many, of what `JSON.stringify` prints for a value; the rest of it isn't even looked at. */
export function beginningOfJson(value: unknown, most: number): string {
  let text = '';
  const print = (one: unknown): void => {
    if (typeof one === 'string') {
      // The last of these characters is cut off below: it may be half of a pair.
      text += JSON.stringify(one.slice(0, most - text.length + 1));
    } else if (Array.isArray(one)) {
      text += '[';
      for (let index = 0; index < one.length && text.length < most; index += 1) {
        text += index === 0 ? '' : ',';
        print(asPrinted(one[index]));
      }
      text += ']';
    } else if (isRecord(one)) {
      let isFirst = true;
      text += '{';
      for (const name in one) {
        if (text.length >= most) {
          break;
        }
        const part = asPrinted(one[name]);
        if (part !== undefined) {
          text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
          isFirst = false;
          print(part);
        }
      }
      text += '}';
    } else {
      text += JSON.stringify(one ?? null);
    }
  };
  print(value);
  return text.slice(0, most);
}

/** What JSON has in place of an object that decides so itself. */
function asPrinted(part: unknown): unknown {
  return isRecord(part) && typeof part['toJSON'] === 'function' ? (part['toJSON'] as () => unknown)() : part;
}
