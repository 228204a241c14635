/** Beginnings of hashes and ids. */
export const hashes = `
The regression came in with 600ec0af9b1c2d3e4f5061728394a5b6c7d8e9f0.
+ 600ec0a
- 600ec0b | 00ec0af

came in with 600ec0af9b1c2d3e4f5061728394a5b6c7d8e9f0.
+ 600ec0af | 600EC0AF9B
- 600ec0b

Fixed in 600ec0a yesterday.
+ 600ec0af9b1c2d3e4f5061728394a5b6c7d8e9f0
- 600ec0b

since 1234567f9b1c2d3e4f5061728394a5b6c7d8e9f0
+ 1234567
- 1234568

entry 0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4 is wrong
+ 0199c1a0 | 0199c1a0-7d10 | {0199C1A0-7D10-7B6E-9A51-40D2A8E6B9F4}
- 0199c1a1 | 199c1a0

entry 0199c1a07d107b6e9a5140d2a8e6b9f4 is wrong
+ 0199c1a0
- 0199c1a1

abcdefa19b1c2d3e4f5061728394a5b6c7d8e9f0
+ abcdefa
- abcdefb

sha256 a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90
+ a1b2c3d4
- a1b2c3d5 | 512

the run of 20261128 failed
+ failed
- 20261127
`;
