/** Last words of names of variables and functions that hold a secret: `user.password`, `getToken`. */
const secretName =
  '(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|keys?|credentials?|hash|passwort|kennwort|contraseña|senha)';

/** Types and constants. */
const keywords =
  'await|new|null|none|nil|undefined|default|true|false|string|str|bytes|char|any|unknown|never|bool|boolean|int|number|text|varchar|object|buffer|secretstr|securestring|required|optional';
/** Names of objects whose fields a program reads. */
const holders =
  'req|request|res|response|config|conf|cfg|settings|configuration|process|os|env|environ|self|this|ctx|context|args|argv|opts|options|props|user|account|data|body|params|query|state|form|session|row|result|event|input|values?|vars?|locals?|each|secrets|item|record|payload|headers?|app|client|auth|db|module|rails|vault';
const identifier = '[A-Za-z_$][\\w$]*';

const expressions = new RegExp(
  `^(?:${[
    // A type or a constant, with the punctuation of a declaration.
    `(?:${keywords})[)\\];,|?=<>&:.{}\`]*`,
    // A variable that is named like a secret: `password: newPassword`.
    `[A-Za-z_$]*${secretName}[)\\];,}:>{=|\`]*`,
    // A field, with the punctuation behind it.
    `[$@]?(?:${holders})(?:[?!]?\\.${identifier})+[)\\];,!}]*`,
    `${identifier}(?:(?:[?!]?\\.|::)${identifier})*(?:\\.|::)[A-Za-z_$]*${secretName}[)\\];,!}]*`,
    // An index, a generic type, a call.
    `${identifier}(?:\\.${identifier})*[[<]["'\`\\w$].*`,
    `&?(?:${identifier}(?:[?!]?\\.|::))+${identifier}!?\\(.*`,
    `${identifier}!?\\((?:.*\\)[);,\\]}]*|[^)]*[(,])`,
    '""\\.join\\(.*',
    // A list, a block, a regular expression, a small number.
    '[[{(].*',
    '/(?:.*[\\\\[].*|.*/[a-z]{0,6}[;,)]*)',
    '\\d{1,3}[)\\];,}]*',
  ].join('|')})$`,
  'i',
);

/** Whether an unquoted value is code that computes or declares the value: `req.body.password`, `getToken(user)`, `string`. */
export function isCodeExpression(value: string): boolean {
  return expressions.test(value.slice(0, 200));
}
