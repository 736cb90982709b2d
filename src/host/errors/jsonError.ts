import {
  parse,
  printParseErrorCode,
  type ParseError,
  type ParseErrorCode,
  type ParseOptions,
} from 'jsonc-parser';

const words: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'this word is not part of JSON',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'nothing may follow the end',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a string does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'this is not the code of a character',
  InvalidEscapeCharacter: 'this character cannot follow a backslash',
  InvalidCharacter: 'a string has a character that must be escaped with a backslash',
  '<unknown ParseErrorCode>': 'it is nested too deeply',
};

/** What is wrong with a JSON text, as a clause: "a comma is missing". */
export function jsonErrorText({ error }: ParseError): string {
  return words[printParseErrorCode(error)];
}

/** A code that the parser doesn't have. */
const TOO_DEEP = 0 as ParseErrorCode;

/** Parses JSON with comments and trailing commas; what is nested too deeply for the parser is an error, too. */
export function parseJsonc(text: string, errors: ParseError[], options: ParseOptions = {}): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true, ...options });
  } catch (error) {
    if (error instanceof RangeError) {
      errors.push({ error: TOO_DEEP, offset: 0, length: 0 });
      return undefined;
    }
    throw error;
  }
}
