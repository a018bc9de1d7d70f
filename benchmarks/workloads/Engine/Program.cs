using System.Diagnostics;
using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Drawing;
using RedisLatency.Workloads.Engine.Loops;
using RedisLatency.Workloads.Engine.Schedules;
using RedisLatency.Workloads.Engine.Totals;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Keys.Forms;
using RedisLatency.Workloads.Values;

// key=value arguments, and one line of key=value as the answer: for `compare`, which runs this beside other programs.
var given = args.Select(arg => arg.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]);
var text = (string name, string usual) => given.GetValueOrDefault(name, usual);
var number = (string name, double usual) =>
    double.Parse(text(name, usual.ToString(CultureInfo.InvariantCulture)), CultureInfo.InvariantCulture);

var keys = new DrawnKeys
{
    Space = new KeySpace(0, (long)number("keys", 1_000_000)),
    Streams = [KeyDistribution.Parse(text("distribution", "uniform"))],
    Form = KeyForm.Parse(text("form", "memtier")),
    Size = ValueSize.Parse(text("size", "100")),
    Content = ValueContent.Parse(text("content", "constant")),
};
var operations = text("mix", "set=1,get=1").Split(',').Select(one => one.Split('=')).Select(one =>
    new MixedOperation(one[0], BuiltInCommand.Named(one[0]), double.Parse(one[1], CultureInfo.InvariantCulture)));
var seconds = number("seconds", 0);
var count = (long)number("operations", seconds > 0 ? 0 : 100_000);
var rate = number("rate", 0);
var warmUp = TimeSpan.FromSeconds(number("warmup", 0.5));
using var engine = new LoadEngine(new EnginePlan
{
    Endpoints = [RedisEndpoint.Parse(text("redis", "redis://127.0.0.1:6379"))],
    Mix = new OperationMix([.. operations], isCyclic: text("order", "random") == "cyclic"),
    Inputs = keys.Create,
    Threads = (int)number("threads", 1),
    ConnectionsPerThread = (int)number("connections", 50),
    Pipeline = (int)number("pipeline", 1),
    Operations = count > 0 ? count : null,
    Duration = seconds > 0 ? TimeSpan.FromSeconds(seconds) : null,
    WarmUp = warmUp,
    Rate = rate > 0 ? RateStep.Constant(rate) : [],
    Arrival = Enum.Parse<Arrival>(text("arrival", "uniform"), ignoreCase: true),
    Loop = Enum.Parse<LoopKind>(text("loop", "auto").Replace("_", string.Empty, StringComparison.Ordinal), true),
});
engine.Connect();
var start = MonotonicClock.NowNs();
engine.Start(start);
TimedWait.Until(start + (long)warmUp.TotalNanoseconds);
var before = Environment.CpuUsage.TotalTime;
var sentBefore = engine.Totals().Completed;
var clock = Stopwatch.StartNew();
engine.Join();
var processor = Environment.CpuUsage.TotalTime - before;
var totals = engine.Totals();
var latencies = new IntervalTotals(totals.Operations.Count);
engine.TakeInterval(latencies);
var all = latencies.Service[0];
foreach (var other in latencies.Service.Skip(1))
    all.Add(other);
var done = totals.Completed - sentBefore;
string[] answer =
[
    $"loop={engine.LoopName}",
    $"ops={done}",
    FormattableString.Invariant($"seconds={clock.Elapsed.TotalSeconds:0.000}"),
    FormattableString.Invariant($"cpu_us={processor.TotalMicroseconds / done:0.0000}"),
    FormattableString.Invariant($"busy={totals.BusyShare:0.000}"),
    FormattableString.Invariant($"p50_us={all.ValueAtPercentile(50) / 1e3:0.0}"),
    FormattableString.Invariant($"p99_us={all.ValueAtPercentile(99) / 1e3:0.0}"),
    FormattableString.Invariant($"late_p50_us={latencies.Lateness.ValueAtPercentile(50) / 1e3:0.00}"),
    FormattableString.Invariant($"late_p99_us={latencies.Lateness.ValueAtPercentile(99) / 1e3:0.00}"),
    $"unsent={totals.Unsent}",
    $"errors={totals.Operations.Sum(one => one.Errors)}",
];
Console.WriteLine(string.Join(' ', answer));
return totals.Operations.All(one => one.InFlight == 0 && one.Errors == 0) ? 0 : 1;
