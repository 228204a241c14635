// Classes of characters in the fields of a Skill (spec 40 §1), for use inside the brackets of a regular expression.

/** Control characters besides line breaks. */
export const controlCharacters = '\\u0000-\\u0009\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F';
export const lineBreaks = '\\u000A\\u000D\\u2028\\u2029';

/** Source of the regular expression of `slug`. */
export const slugPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
