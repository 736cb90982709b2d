import { printParseErrorCode, type ParseError } from 'jsonc-parser';

const words: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'this word means nothing in JSON',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'nothing may follow the end',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'this is no character by its number',
  InvalidEscapeCharacter: 'a backslash stands before a wrong character',
  InvalidCharacter: 'a text holds a character that must be written with a backslash',
  '<unknown ParseErrorCode>': 'it cannot be read',
};

/** What is wrong with a text in JSON, as the end of a sentence: "a comma is missing". */
export function jsonErrorText({ error }: ParseError): string {
  return words[printParseErrorCode(error)];
}
