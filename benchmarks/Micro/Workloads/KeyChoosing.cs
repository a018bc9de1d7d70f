using BenchmarkDotNet.Attributes;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Micro.Workloads;

/// <summary>What it costs to choose the next key among 7.68 thousand million, the largest load measured.</summary>
[MemoryDiagnoser]
public class KeyChoosing
{
    private static readonly KeySpace Space = new(0, 7_680_000_000);

    private readonly RandomSource _random = new(1);
    private readonly KeyChooser _uniform = Of("uniform");
    private readonly KeyChooser _zipfian = Of("zipfian");
    private readonly KeyChooser _scrambled = Of("scrambled");
    private readonly KeyChooser _ycsb = Of("ycsb");
    private readonly KeyChooser _latest = Of("latest");
    private readonly KeyChooser _hotspot = Of("hotspot");
    private readonly KeyChooser _exponential = Of("exponential");
    private readonly KeyChooser _gaussian = Of("gaussian");
    private readonly KeyChooser _sequential = Of("sequential");
    private readonly KeyChooser _byConnection = Of("partitioned-each");

    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Category.Hot)]
    public ulong Random() => _random.NextUInt64();

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Uniform() => _uniform.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Zipfian() => _zipfian.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Scrambled() => _scrambled.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Ycsb() => _ycsb.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Latest() => _latest.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Hotspot() => _hotspot.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Exponential() => _exponential.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Gaussian() => _gaussian.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Sequential() => _sequential.Next(_random);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long ByConnection() => _byConnection.Next(_random);

    private static KeyChooser Of(string distribution) => KeyDistribution.Parse(distribution).Create(Space, 0, 1);
}
