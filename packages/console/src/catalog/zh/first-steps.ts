import type { firstSteps as phrases } from '../en/first-steps.ts';

/** First steps. */
export const firstSteps: typeof phrases = {
  firstStepsIntro: '五个步骤：从一条笔记到经人批准的教训。每一步都有按钮，以及相同调用的 curl。',
  nothingIsDeleted: '不会删除任何内容：这些步骤写入的内容保留在下面的作用域中。再次点击不会改变什么。',
  scopeOfSteps: '这些步骤的作用域',
  done: '完成',
  stepDone: (button) => `${button}：完成。`,
  capture: '捕获',
  search: '搜索',
  propose: '提议',
  stepCapture: '1. 捕获一条笔记',
  stepCaptureWhy: '智能体以自己的 id 捕获证据。',
  stepFlush: '2. 从中提取记忆',
  stepFlushWhy: '工作进程读取等待的内容，并提取陈述。',
  showSource: '显示来源',
  showEntries: '显示条目',
  stepSearch: '3. 搜索记忆',
  stepSearchWhy: '智能体用问题中的词搜索。',
  stepExplain: '4. 准备上下文，并查看原因',
  stepExplainWhy: '每一轮之前，智能体会请求上下文。这里显示其内容和原因。',
  showWhy: '查询某句话为何在或不在其中',
  stepPropose: '5. 提议一条教训',
  stepProposeWhy: '智能体提议所学内容并附上证据，由人在审核页面决定。',
};
