using System.Reflection;
using BenchmarkDotNet.Attributes;

namespace RedisLatency.Micro.Tests;

public class HotPathAllocationTests
{
    private static readonly Assembly Micro = typeof(Category).Assembly;

    public static TheoryData<string, string> HotBenchmarks => new(
        HotBenchmark.Find(Micro)
            .Where(method => HotBenchmark.IsInCategory(method, Category.Hot))
            .Select(method => (method.ReflectedType!.FullName!, method.Name)));

    [Theory]
    [MemberData(nameof(HotBenchmarks))]
    public void HotBenchmark_AfterItsFirstCalls_AllocatesNothing(string type, string method)
    {
        using var benchmark = new HotBenchmark(Micro.GetType(type)!.GetMethod(method)!);

        benchmark.BytesAllocated().ShouldBe(0);
    }

    [Fact]
    public void Probe_OfACallThatAllocatesOneObject_SeesIt()
    {
        object? last = null;

        AllocationProbe.BytesAllocated(() => last = new object(), 10, 1).ShouldBeGreaterThan(0);
        last.ShouldNotBeNull();
    }

    [Fact]
    public void EveryBenchmark_IsHotOrCold_AndStatesWhatItAllocates()
    {
        var benchmarks = HotBenchmark.Find(Micro).ToList();

        benchmarks.ShouldNotBeEmpty();
        benchmarks
            .Where(method => HotBenchmark.IsInCategory(method, Category.Hot)
                == HotBenchmark.IsInCategory(method, Category.Cold))
            .ShouldBeEmpty();
        benchmarks.Where(method => !method.ReflectedType!.IsDefined(typeof(MemoryDiagnoserAttribute))).ShouldBeEmpty();
    }
}
