/** Programming languages whose names hold punctuation. */
export const languageNames = `
The backend is written in C#.
+ C#
- c

The parser is written in C.
+ C
- C# | C++

The driver is written in C++.
+ C++
- C# | c

Pricing is in F#, the rest is not.
+ F#
- C | F

Press F to pay
+ pay
- F#

The service runs on .NET 8.
+ .NET
- net | NET

We moved to .NET last year
+ .net
- dotnet

The net income rose.
+ net
- .NET

(C#)
+ c#
- C | C++

compiled as C++17
+ C++17
- C | C#

an ASP.NET application
+ ASP.NET
- C#
`;
