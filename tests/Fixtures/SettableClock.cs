using System.Diagnostics;
using System.Globalization;

namespace RedisLatency.Fixtures;

/// <summary>
/// The clock of a server, which a test sets. libfaketime cannot be loaded by a server with jemalloc: each needs the
/// other first.
/// </summary>
public sealed class SettableClock : IDisposable
{
    private const string Source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long ahead(void) {
            char text[32] = {0};
            int file = open(getenv("CLOCK_AHEAD_FILE"), O_RDONLY);
            if (file < 0 || read(file, text, sizeof text - 1) < 0) return 0;
            close(file);
            return atol(text);
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            int result = syscall(SYS_clock_gettime, clock, time);
            if (clock == CLOCK_REALTIME) time->tv_sec += ahead();
            return result;
        }

        int gettimeofday(struct timeval *time, void *zone) {
            int result = syscall(SYS_gettimeofday, time, zone);
            time->tv_sec += ahead();
            return result;
        }

        time_t time(time_t *into) {
            struct timeval now;
            gettimeofday(&now, 0);
            if (into) *into = now.tv_sec;
            return now.tv_sec;
        }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-clock-").FullName;

    private SettableClock(TimeSpan ahead) => Set(ahead);

    private string Library => Path.Combine(_folder, "clock.so");

    private string AheadFile => Path.Combine(_folder, "ahead");

    /// <summary>What a process with this clock is started with.</summary>
    public IReadOnlyDictionary<string, string> Environment => new Dictionary<string, string>
    {
        ["LD_PRELOAD"] = Library,
        ["CLOCK_AHEAD_FILE"] = AheadFile,
    };

    /// <summary>Makes one; skips the test where there is no compiler.</summary>
    public static async Task<SettableClock> Make(TimeSpan ahead)
    {
        var compiler = ServerRequirement.Require("cc");
        var clock = new SettableClock(ahead);
        var code = Path.Combine(clock._folder, "clock.c");
        await File.WriteAllTextAsync(code, Source);
        using var compiling = Process.Start(compiler, ["-shared", "-fPIC", "-o", clock.Library, code]);
        await compiling.WaitForExitAsync();
        if (compiling.ExitCode != 0)
            throw new InvalidOperationException($"{compiler} ended with {compiling.ExitCode}");
        return clock;
    }

    /// <summary>Sets it, at once, to whole seconds before or behind this machine's.</summary>
    public void Set(TimeSpan ahead)
    {
        var beside = $"{AheadFile}.new";
        File.WriteAllText(beside, ((long)ahead.TotalSeconds).ToString(CultureInfo.InvariantCulture));
        File.Move(beside, AheadFile, overwrite: true);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
