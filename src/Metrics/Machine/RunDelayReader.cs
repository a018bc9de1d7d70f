using System.Buffers.Text;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// How long threads could have run and had no processor, as Linux counts it for each of them
/// (<c>/proc/PID/task/TID/schedstat</c>: time on a processor, time waited for one, times it was given one).
/// </summary>
internal sealed class RunDelayReader : IDisposable
{
    // What the kernel keeps of a thread's name.
    private const int LongestName = 15;

    // Three numbers of at most twenty digits.
    private const int LongestLine = 64;

    private readonly List<SafeFileHandle> _threads;

    private RunDelayReader(List<SafeFileHandle> threads) => _threads = threads;

    /// <summary>Reads threads of this process.</summary>
    public static RunDelayReader Of(IEnumerable<int> threads) =>
        new([.. threads.Select(thread => Open($"/proc/self/task/{thread}")).OfType<SafeFileHandle>()]);

    /// <summary>Reads the thread that calls.</summary>
    public static RunDelayReader OfThisThread() =>
        new(Open("/proc/thread-self") is { } thread ? [thread] : []);

    /// <summary>Reads a process of this machine: all of its threads, or those whose names begin so.</summary>
    /// <returns>Null where there is no such process, no such thread, or nothing may be read of it.</returns>
    public static RunDelayReader? Of(int process, string threadName = "")
    {
        var tasks = string.Create(CultureInfo.InvariantCulture, $"proc/{process}/task");
        var files = new HostFiles();
        var prefix = threadName[..Math.Min(threadName.Length, LongestName)];
        var threads = files.FolderNames(tasks)
            .Where(thread => files.ReadText($"{tasks}/{thread}/comm") is { } name
                && name.StartsWith(prefix, StringComparison.Ordinal))
            .Select(thread => Open($"/{tasks}/{thread}")).OfType<SafeFileHandle>().ToList();
        return threads.Count > 0 ? new(threads) : null;
    }

    /// <summary>
    /// What all of them have waited so far, in nanoseconds, and how often they were given a processor.
    /// </summary>
    /// <remarks>A thread that has ended is left out from then on. Allocates nothing while all go on.</remarks>
    public (long WaitedNs, long Times) Read()
    {
        var (waited, times) = (0L, 0L);
        for (var i = _threads.Count - 1; i >= 0; i--)
        {
            if (!Read(_threads[i], ref waited, ref times))
            {
                _threads[i].Dispose();
                _threads.RemoveAt(i);
            }
        }

        return (waited, times);
    }

    public void Dispose() => _threads.ForEach(thread => thread.Dispose());

    private static SafeFileHandle? Open(string task)
    {
        try
        {
            return File.OpenHandle(
                $"{task}/schedstat", FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static bool Read(SafeFileHandle thread, ref long waited, ref long times)
    {
        Span<byte> line = stackalloc byte[LongestLine];
        try
        {
            line = line[..RandomAccess.Read(thread, line, 0)];
        }
        catch (IOException)
        {
            return false;
        }

        if (!Next(ref line, out _) || !Next(ref line, out var wait) || !Next(ref line, out var count))
            return false;
        (waited, times) = (waited + wait, times + count);
        return true;
    }

    private static bool Next(ref Span<byte> line, out long number)
    {
        if (!Utf8Parser.TryParse(line, out number, out var length))
            return false;
        line = line[Math.Min(length + 1, line.Length)..];
        return true;
    }
}
