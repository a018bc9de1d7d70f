using BenchmarkDotNet.Attributes;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Micro.Workloads;

/// <summary>What it costs to write the bytes of a key and of a value of 100 bytes.</summary>
[MemoryDiagnoser]
public class KeyAndValueWriting
{
    private readonly KeyForm _memtier = KeyForm.Parse("memtier");
    private readonly KeyForm _redisBenchmark = KeyForm.Parse("redis-benchmark");
    private readonly KeyForm _ycsb = KeyForm.Parse("ycsb");
    private readonly ValueSource _random = Of("random");
    private readonly ValueSource _printable = Of("ycsb");
    private readonly ValueSource _deterministic = Of("deterministic");
    private readonly RandomSource _source = new(1);
    private readonly byte[] _key = new byte[64];
    private readonly byte[] _value = new byte[100];
    private long _index = 7_000_000_000;

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int MemtierKey() => _memtier.Write(++_index, _key);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int RedisBenchmarkKey() => _redisBenchmark.Write(++_index, _key);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public int YcsbKey() => _ycsb.Write(++_index, _key);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void RandomValue() => _random.Fill(_index, _source, _value);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void YcsbValue() => _printable.Fill(_index, _source, _value);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void DeterministicValue() => _deterministic.Fill(_index, _source, _value);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public bool VerifyDeterministicValue() => _deterministic.Verify(_index, _value);

    private static ValueSource Of(string content) => new(ValueSize.Parse("100"), ValueContent.Parse(content));
}
