using BenchmarkDotNet.Attributes;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Micro.Workloads;

/// <summary>What it costs to draw and write whole commands: with members, fields, ranges and tagged keys.</summary>
[MemoryDiagnoser]
public class CommandWriting
{
    private static readonly RecordForm Fields = new(10) { Index = "_indices" };
    private static readonly CommandChoices OfHashes = new(Fields: Fields);

    private readonly RequestBuffer _requests = new();
    private readonly CommandInputs _inputs = Create("key:{{{0:T}}}:{0:D12}");
    private readonly CommandTemplate _member = BuiltInCommand.Named("sadd");
    private readonly CommandTemplate _line = BuiltInCommand.Named("ping-inline");
    private readonly CommandTemplate _record = BuiltInCommand.Named("insert", OfHashes);
    private readonly CommandTemplate _field = BuiltInCommand.Named("update", OfHashes);
    private readonly CommandTemplate _scan = BuiltInCommand.Named("scan:100", OfHashes);
    private readonly CommandTemplate _expiring = BuiltInCommand.Named(
        "set", new CommandChoices(new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(9))));

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int Member() => Write(_member);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int Line() => Write(_line);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int Record() => Write(_record) + Write(_record.Then!);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int Field() => Write(_field);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int Scan() => Write(_scan);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int Expiring() => Write(_expiring);

    private static CommandInputs Create(string form) => new DrawnKeys
    {
        Space = new KeySpace(0, 1_000_000),
        Form = KeyForm.Parse(form),
        Fields = Fields,
    }.Create(new WorkerShare(0, 1));

    private int Write(CommandTemplate command)
    {
        _requests.Clear();
        command.Write(_requests, _inputs, 0, _inputs.NextKey(0));
        return _requests.Length;
    }
}
