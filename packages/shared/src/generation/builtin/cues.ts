const lesson =
  /(?<![\p{L}\p{N}_])(?:must|should|always|never|before|after|instead|because|avoid)(?![\p{L}\p{N}_])|必须|应该|不要|避免|因为/iu;
const check = /^(?:verify|check|ensure|confirm|validate|make sure)(?![\p{L}\p{N}_])/iu;

/** Whether a sentence has a cue of a lesson (spec 40 §2.2). */
export function hasLessonCue(sentence: string): boolean {
  return lesson.test(sentence);
}

/** Whether a sentence is a check: it begins with a verb such as verify or ensure (spec 40 §2.2). */
export function isCheck(sentence: string): boolean {
  return check.test(sentence);
}
