using System.Linq.Expressions;
using System.Reflection;
using BenchmarkDotNet.Attributes;

namespace RedisLatency.Micro.Tests;

/// <summary>A benchmark of the Micro project, made ready to be called as BenchmarkDotNet would.</summary>
internal sealed class HotBenchmark : IDisposable
{
    private const int CallsBefore = 1_000;
    private const int CallsMeasured = 4_000;

    private readonly object _instance;
    private readonly Action _call;

    public HotBenchmark(MethodInfo method)
    {
        _instance = Activator.CreateInstance(method.ReflectedType!)!;
        CallAll<GlobalSetupAttribute>();
        // Compiled, because MethodInfo.Invoke allocates for its own result.
        var call = Expression.Call(Expression.Constant(_instance), method);
        _call = Expression.Lambda<Action>(Expression.Block(typeof(void), call)).Compile();
    }

    /// <summary>The benchmarks of a category, as the attribute on the method or on its class says.</summary>
    public static IEnumerable<MethodInfo> Find(Assembly assembly) =>
        from type in assembly.GetExportedTypes()
        from method in type.GetMethods()
        where method.IsDefined(typeof(BenchmarkAttribute))
        select method;

    public static bool IsInCategory(MethodInfo method, string category) =>
        method.GetCustomAttributes<BenchmarkCategoryAttribute>()
            .Concat(method.ReflectedType!.GetCustomAttributes<BenchmarkCategoryAttribute>())
            .Any(attribute => attribute.Categories.Contains(category));

    public long BytesAllocated() => AllocationProbe.BytesAllocated(_call, CallsBefore, CallsMeasured);

    public void Dispose() => CallAll<GlobalCleanupAttribute>();

    private void CallAll<TAttribute>()
        where TAttribute : Attribute
    {
        foreach (var method in _instance.GetType().GetMethods())
        {
            if (method.IsDefined(typeof(TAttribute)))
                method.Invoke(_instance, null);
        }
    }
}
