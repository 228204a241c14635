import type { LanguageTopics } from '../shapes.ts';

/** Chinese: what the generated memories are about. The form is that of `generate.ts`. */
export const chineseTopics: LanguageTopics = {
  slots: {
    team: '平台组|支付组|前端组|数据组|运维组|移动组|安全组|增长组|物流组|合规组|搜索组|合作伙伴组',
    database: 'PostgreSQL 16|MySQL 8|MongoDB|Redis|SQLite|TiDB|OceanBase|Cassandra|ClickHouse|Elasticsearch',
    day: '星期一|星期二|星期三|星期四|星期五',
    hour: '早上六点半|七点一刻|上午十点|十一点半|下午两点|四点三刻|晚上九点|22:30|18:20|13:15',
    cause: '证书过期|磁盘写满|缺少索引|连接池泄漏|功能开关配错|域名解析变更|死锁|定时任务失败',
    number: '20|45|75|90|120|150|250|400|600|900|1500|3000',
    library: 'Fastify|Express|Spring Boot|gRPC|GraphQL|Kafka|RabbitMQ|NATS|Prisma|Drizzle|Terraform|Pulumi',
    reason: '维护简单|链路追踪更好|成本更低|许可证合适|镜像更小|冷启动更快|升级方便',
    drink: '燕麦拿铁|绿茶|苏打水|黑咖啡|薄荷茶|热巧克力',
    channel: '电子邮件|企业微信|电话|代码评审评论|视频会议|短信',
    city: '杭州|成都|深圳|西安|武汉|南京|厦门|青岛|大连|苏州|昆明|长沙',
    skill: '无障碍设计|容器编排|查询优化|威胁建模|动画制作|字体排版|压力测试|机器学习|数据加密|语音识别',
    blocker: '设计稿评审|新的服务器|预发布环境的权限|法务的答复|签好的合同|测试数据|许可证密钥',
    region: '法兰克福|爱尔兰|弗吉尼亚|新加坡|悉尼|东京|上海|香港',
    percent: '5|8|10|12|15|18|20|25',
    complaint: '导出太慢|发票缺失|重复扣款|邮件链接失效|登录死循环|时区错误|附件丢失',
    wish: '深色模式|单点登录|批量导入|审计日志|离线使用|手机客户端|自定义报表|事件回调',
  },
  subjects: {
    service:
      '支付网关|商品目录|购物车|发票生成器|会话存储|图片压缩|邮件中继|地理查询|风控评分|操作审计|定价引擎|库存同步|面单打印|优惠券校验|评论审核|税费计算|退款处理|物流跟踪|头像上传|搜索索引|信息流|令牌签发|回调分发|任务调度|报表合成|问卷收集|聊天桥接|多语言解析|心愿单|积分账本|广告轮播|指标上报|归档搬运|授权登记|设备注册|打款计划|工单路由|视频转码|地址校验|配额守卫',
    person:
      '王小明|李思远|张雨桐|刘建国|陈佳怡|杨志强|黄美玲|赵文博|周子涵|吴晓燕|徐浩然|孙丽华|朱俊杰|马秀英|胡天宇|郭婷婷|林国栋|何雪梅|高明哲|罗静怡|郑凯文|梁慧敏|谢东升|宋佩珊|唐永康|许诗涵|韩大伟|冯晓露|邓家豪|曹若曦|彭立群|曾海燕|肖振华|田蕊|董一鸣|潘玉兰|袁承志|蔡欣然|蒋光明|余芳菲',
    customer:
      '华宁物流|蓝鸟航空|雪松医院|德丰食品|长青银行|飞隼汽车|磐石保险|海港航运|象牙美妆|杜松酒店|赤鹰能源|湖畔学院|枫叶药房|云雨电信|果园超市|巅峰体育|采石矿业|红杉出版|银线铁路|冻原户外|暗影影业|远见地产|柳树诊所|氙光照明|黄石乳业|和风无人机|琥珀纺织|灯塔学校|铜壶咖啡|浮木家具|余烬游戏|毛地黄花店|冰川饮水|榛果玩具|靛蓝印务|翡翠珠宝|拱心建筑|灯笼剧院|草甸农场|新星机器人',
  },
  topics: `
fact service
> {service}的数据保存在 {database} 里。
> {service}背后的存储是 {database},每天夜里备份。
> {service}的全部记录都放在 {database} 中。
forms ? {service}把数据保存到哪里
paraphrase ? {service}用的是什么数据库
names ? {service}存储 {database}

fact service
> {service}由{team}负责。
> {service}归{team}管,有问题找他们。
> {service}的负责团队:{team}。
forms ? 谁负责{service}
paraphrase ? {service}出了问题应该问哪个小组
names ? {service} {team}

constraint service
> {service}只能在{day}{hour}发布,不得推迟。
> {service}的上线时间固定为{day}{hour}之前。
> {service}发布窗口:{day}{hour}。
forms ? {service}什么时候可以发布
paraphrase ? {service}的部署时段
dates ? {day}{hour}上线{service}

fact service
> {date}{service}因{cause}中断了{number}分钟。
> {service}故障({date.iso}):{cause},{number}分钟后恢复。
> {cause}导致{service}在{date}不可用,复盘写在知识库里。
forms ? {service}中断的原因
paraphrase ? {date.month}的时候{service}为什么挂了
dates ? {date.short}{service}发生了什么

constraint service
> {service}对每个租户每分钟最多允许{number}次请求。
> {service}的限流:每分钟{number}次调用。
> 任何租户每分钟调用{service}不得超过{number}次。
forms ? {service}请求次数的限制
paraphrase ? 客户端可以多频繁地访问{service}
dates ? 每分钟{number}次 {service}

decision service
> {service}决定采用 {library},理由是{reason}。
> {service}将用 {library} 重写,主要考虑{reason}。
> 我们选择把{service}迁移到 {library},因为{reason}。
forms ? {service}迁移 {library} 的理由
paraphrase ? {service}最后定了哪种技术
names ? {library} {service}

preference person
> 有急事时{person}更愿意用{channel}沟通。
> 联系{person}请用{channel}。
> {person}喜欢别人通过{channel}找他。
forms ? 怎么联系{person}
paraphrase ? 找{person}最好的方式
names ? {person}沟通偏好

fact person
> {person}从{date}开始休假两周。
> {person}的假期从{date.iso}起。
> {person}{date}起不在,十个工作日后回来。
forms ? {person}什么时候休假
paraphrase ? {person}哪天开始不上班
dates ? {date.short}放假的{person}

fact person
> {person}在{skill}方面比谁都懂。
> {skill}的问题可以请教{person}。
> {person}做过{skill}的内部培训。
forms ? 请教{person}{skill}问题
paraphrase ? {person}擅长什么
names ? {person} {skill}

fact person
> {person}搬到了{city},在那边远程办公。
> {person}住在{city},按当地时间工作。
> {person}的居家办公地点:{city}。
forms ? {person}住哪个城市
paraphrase ? {person}人在哪里
names ? {person} {city}

preference person
> {person}上午只喝{drink}。
> 跟{person}开会请点{drink}。
> {person}最喜欢的饮料是{drink}。
forms ? {person}喜欢喝什么饮料
paraphrase ? 给{person}买点什么喝的
names ? {person} {drink}

working_note person
> {person}从{date}起一直在等{blocker}。
> {person}的下一步:催{blocker}。
> 没有{blocker},{person}没法继续。
forms ? {person}在等什么
paraphrase ? 是什么卡住了{person}
dates ? {date.short}以来被阻塞的{person}

fact customer
> 与{customer}的合同到{date}结束。
> {customer}签到了{date.iso},提前三个月通知。
> {customer}的续约日期是{date}。
forms ? {customer}合同结束日期
paraphrase ? {customer}什么时候到期
dates ? {date.short}到期的{customer}合同

constraint customer
> {customer}的数据必须留在{region}。
> {customer}要求只在{region}托管。
> {customer}的记录不得离开{region}机房。
forms ? {customer}数据托管在哪个机房
paraphrase ? {customer}对存放地点有什么规定
names ? {customer} {region}

decision customer
> 明年起给{customer}百分之{percent}的折扣。
> 我们同意给{customer}优惠 {percent}%。
> 销售部批准{customer}减价 {percent}%。
forms ? {customer}的折扣和优惠
paraphrase ? {customer}能便宜多少
dates ? {customer} {percent}%

fact customer
> {customer}在{date}投诉{complaint}。
> {customer}的工单({date.iso}):{complaint}。
> {customer}反映{complaint},已退款{number}元。
forms ? {customer}投诉了什么
paraphrase ? {customer}对哪里不满意
dates ? {date.short}{customer}的工单

preference customer
> {customer}最想要{wish}。
> {customer}的首要需求是{wish}。
> {customer}两次问起{wish}。
forms ? {customer}的需求
paraphrase ? 做什么功能能让{customer}高兴
names ? {wish} {customer}

working_note customer
> {customer}的试点{day}{hour}开始,共{number}个用户。
> {customer}:下次研讨会在{day}{hour}。
> 与{customer}的启动会定在{day}{hour}。
forms ? {customer}试点开始时间
paraphrase ? 几点跟{customer}见面
dates ? {day}{hour}和{customer}的会
`,
};
