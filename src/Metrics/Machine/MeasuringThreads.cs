using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// The threads of this process that what is measured passes through, by the numbers that the kernel gives them. Empty
/// off Linux, where nothing counts what they wait for.
/// </summary>
public static partial class MeasuringThreads
{
    private static readonly ConcurrentDictionary<int, byte> Numbers = new();
    private static int _changes;

    /// <summary>Which they are now.</summary>
    public static IReadOnlyCollection<int> Current => [.. Numbers.Keys];

    /// <summary>Goes up whenever one comes or goes.</summary>
    public static int Changes => Volatile.Read(ref _changes);

    /// <summary>Does the work of one, on its thread.</summary>
    public static void Run(Action work)
    {
        ArgumentNullException.ThrowIfNull(work);
        if (!OperatingSystem.IsLinux())
        {
            work();
            return;
        }

        var number = GetThreadId();
        Numbers[number] = 0;
        Interlocked.Increment(ref _changes);
        try
        {
            work();
        }
        finally
        {
            Numbers.TryRemove(number, out _);
            Interlocked.Increment(ref _changes);
        }
    }

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetThreadId();
}
