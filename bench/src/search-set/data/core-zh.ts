/** Chinese: memories and questions written by hand, in the form of `parse.ts`. */
export const chineseCore = `
constraint
> 访问令牌和 Cookie 绝对不能写进日志,调试级别也不行。
forms ? 日志里能不能写访问令牌
paraphrase ? 调试的时候可以打印凭证吗

decision
> 金额统一用整数分保存,浮点数在六月工资单里丢了三分钱。
forms ? 金额怎么保存
paraphrase ? 为什么价格不用小数

fact
> 数据库每天凌晨两点十分备份,并复制到另一个账号的存储桶。
forms ? 备份数据库的时间
paraphrase ? 夜里的副本放到哪里

preference
> 评审的人希望合并请求小一点,改动不超过四百行,只讲一件事。
forms ? 合并请求多大合适
paraphrase ? 一次提交可以改多少代码

constraint
> 数据库迁移必须向后兼容一个版本,因为滚动发布时新旧实例同时运行。
forms ? 迁移的兼容要求
paraphrase ? 能在同一个版本里删掉字段吗

decision
> 功能开关放在配置服务里,全量上线三十天内必须删除。
forms ? 删除功能开关的期限
dates ? 三十天之后开关怎么办

working_note
> 导入程序下一步:改成流式读取 CSV,2 GB 的文件把工作进程撑爆了。
forms ? 导入 CSV 文件的改进
paraphrase ? 大表格导致内存不足

fact
> 预发布集群每个星期天夜里重建,手工放进去的数据到星期一就没了。
forms ? 重建预发布集群
paraphrase ? 为什么我的测试记录周末之后消失了

fact
> 李娜的妹妹李珊在厦门大学读海洋生物,十月会来玩。
names ? 李珊在哪里读书
paraphrase ? 谁的家人学海洋

preference
> 马丁对花生过敏,不想去磨坊街的泰国餐馆。
forms ? 马丁的过敏情况
paraphrase ? 请马丁吃饭要避开什么

decision
> 主键选用 UUIDv7,可以按创建时间排序,也不需要序列。
forms ? 主键的选择
paraphrase ? 标识符用了哪种格式

constraint
> 对外接口的错误码保持稳定,提示文字可以改,错误码不能改。
forms ? 错误码的稳定性
paraphrase ? 客户端能依赖报错的措辞吗

fact
> src/http/client.ts 里的 retryPolicy 从 200 毫秒开始指数退避,六次以后放弃。
names ? retry policy 退避
paraphrase ? 失败后会再试几回

fact
> src/billing/parser.ts 的 parseInvoiceHeader 假定编码是 GBK,遇到生僻字会乱码。
names ? invoice header 编码
paraphrase ? 账单上有些字显示不出来的原因

working_note
> 合作方沙箱的证书在 2026 年 5 月 3 日过期,法蒂玛已经催他们更新。
dates ? 2026 年 5 月过期的证书
forms ? 更新合作方证书

fact
> 季度规划在一月、四月、七月和十月的第一周,地点是五楼大会议室。
forms ? 季度的规划会议
dates ? 七月的规划

decision
> 时间戳用 UTC 毫秒存储,按查看者的时区显示。
forms ? 时间戳存储方式
paraphrase ? 表里存的是本地时间吗

constraint
> 用户密码必须用 Argon2id 做哈希,旧的 bcrypt 在下次登录时升级。
forms ? 密码哈希的要求
paraphrase ? 登录口令用什么算法保护

preference
> 设计师林悦希望在 Figma 里批注原型,不要发在群聊里。
names ? 林悦 批注
paraphrase ? 给设计的意见应该写在哪里

fact
> 值班在星期三中午轮换,用十五分钟电话交接。
forms ? 轮换值班的时间
paraphrase ? 什么时候把告警手机交给下一位

decision
> 没有采用 Kafka,每天两千个事件用发件箱表就够了。
forms ? 采用 Kafka 了吗
paraphrase ? 为什么不要消息中间件

constraint
> 没有签数据处理协议,供应商不得处理用户的个人信息。
forms ? 处理个人信息的协议
paraphrase ? 外包商看到用户资料之前需要什么手续

fact
> 手机应用支持 Android 11 和 iOS 16 以上,旧手机会看到提示。
forms ? 应用支持哪些手机
dates ? iOS 15 还支持吗

working_note
> 搜索改造还剩:同义词、拼写容错、零结果查询的看板。
forms ? 改造搜索剩余的工作
paraphrase ? 用户打错字也能找到商品的进展

fact
> 奶奶 2026 年 9 月 12 日九十岁生日,下午三点在村礼堂庆祝。
dates ? 9 月 12 日的生日
paraphrase ? 老人家的寿宴在哪里办

preference
> 高飞喜欢看纸质文件,见他之前先把架构方案打印出来。
names ? 高飞 架构方案
paraphrase ? 谁不爱在屏幕上看东西

decision
> 单体应用保留,只把报表渲染拆出去,因为它的扩容方式不同。
forms ? 拆分单体应用
paraphrase ? 我们要做微服务吗

constraint
> 改动 packages/auth 或 deploy 目录的合并请求需要两个人批准。
names ? packages/auth 批准
forms ? 需要几个人批准合并

fact
> 负载均衡六十秒切断空闲连接,所以服务端推送每二十秒发一次心跳。
forms ? 空闲连接被切断
paraphrase ? 流里为什么有保活消息

fact
> ERR_QUEUE_STALLED 表示工作进程丢了锁,十有八九是大 JSON 堵住了事件循环。
names ? queue stalled 锁
paraphrase ? 任务失去租约的常见原因

preference
> 提交说明用祈使句,写清楚为什么,不写改了什么。
forms ? 怎么写提交说明
paraphrase ? 版本历史的文风要求

fact
> 孙伟开一辆蓝色沃尔沃,车牌沪A20418,他有自行车库的钥匙。
names ? 沪A20418
paraphrase ? 谁能打开放单车的房间

working_note
> 审计之前要做:轮换签名密钥,列出所有分包商,归档去年的权限复查。
forms ? 轮换密钥的工作
paraphrase ? 检查前的准备

decision
> 商城价格都含增值税,只有瑞士的企业客户例外。
forms ? 价格含税吗
paraphrase ? 顾客看到的是净价还是毛价

fact
> 4.7.2 版修好了 WebSocket 代理的内存泄漏,4.7.3 版只更新了翻译。
dates ? 4.7.2 修了什么
forms ? 代理内存泄漏

constraint
> 超过 25 MB 的上传会被网关拒绝,更大的文件走签名链接。
forms ? 上传大文件
dates ? 25 MB 的限制

fact
> 小狗布鲁诺怕打雷,一打雷就躲在三号会议室桌子底下。
names ? 布鲁诺
paraphrase ? 哪只宠物害怕暴风雨

preference
> 图表用色盲友好的配色,不要只靠红绿区分。
forms ? 图表的配色
paraphrase ? 画曲线时怎样照顾看不清颜色的人

decision
> 快照测试取消了,评审的人不看差异就直接通过。
forms ? 取消快照测试的原因
paraphrase ? 为什么不再拿渲染结果和存档文件比较

fact
> 月底结账时只读副本最多延迟四秒。
forms ? 只读副本的延迟
paraphrase ? 为什么最后一天的数字不是最新的

fact
> 食堂星期五供应素食,需要提前一天在小程序里预订。
forms ? 预订星期五的素食
paraphrase ? 不吃肉的人怎么吃午饭
`;
