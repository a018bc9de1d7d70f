namespace RedisLatency.Integration.BadInput;

/// <summary>A machine that gives too little says so by a sentence, not by a crash.</summary>
public sealed class ScarcityTests
{
    [Theory]
    [InlineData("ulimit -n 64", "may have 64 open files")]
    // The runtime itself starts, and would get no thread, or no memory, at a moment of its own choice.
    [InlineData("ulimit -v 2000000", "the address space of this process is limited to 1953 MiB")]
    [InlineData("ulimit -v 3000000", "the address space of this process is limited to 2929 MiB")]
    public async Task TooLittle_IsRefused(string limit, string sentence)
    {
        foreach (var program in (string[])
            ["\"$PROGRAM\" producer --rate 0 --iterations 200 --warmup 0", "\"$PROGRAM\" consumer --redis redis://127.0.0.1:1"])
        {
            var outcome = await Outcome.OfShell($"{limit}; exec {program}");

            outcome.ShouldBeRefused(3, sentence);
        }
    }

    /// <summary>With less than 8 the runtime itself does not begin, and says so in its own words.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(10)]
    [InlineData(12)]
    [InlineData(20)]
    public async Task TooFewThreads_OfAControlGroup_AreRefused(int threads)
    {
        using var group = ThreadGroup.Make(threads);

        var outcome = await Outcome.OfShell(
            $"echo $$ > {group.Members} && exec \"$PROGRAM\" producer --rate 0 --iterations 200 --warmup 0");

        outcome.ShouldBeRefused(3, " threads, and needs 32 for itself");
    }

    /// <summary>Root may exceed it.</summary>
    [Fact]
    public async Task TooFewThreads_OfAUser_AreRefused()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "only root becomes another user");
        Assert.SkipUnless(File.Exists("/usr/bin/setpriv"), "setpriv is not there");

        var outcome = await Outcome.OfShell("exec prlimit --nproc=20 setpriv --reuid=65534 "
            + "--clear-groups \"$PROGRAM\" producer --rate 0 --iterations 200 --warmup 0");

        outcome.ShouldBeRefused(3, "this process may have 20 threads, and needs 32 for itself");
    }

    /// <summary>A control group of this test's own, of version 2 or 1.</summary>
    private sealed class ThreadGroup : IDisposable
    {
        private readonly string _folder;

        private ThreadGroup(string folder) => _folder = folder;

        public string Members => Path.Combine(_folder, "cgroup.procs");

        public static ThreadGroup Make(int threads)
        {
            foreach (var parent in (string[])["/sys/fs/cgroup", "/sys/fs/cgroup/pids"])
            {
                if (!File.Exists(Path.Combine(parent, "cgroup.procs")))
                    continue;
                var folder = Path.Combine(parent, $"redislatency-test-{Environment.ProcessId}-{threads}");
                try
                {
                    Directory.CreateDirectory(folder);
                    if (File.Exists(Path.Combine(folder, "pids.max")))
                    {
                        File.WriteAllText(Path.Combine(folder, "pids.max"), $"{threads}");
                        return new ThreadGroup(folder);
                    }

                    Directory.Delete(folder);
                }
                catch (Exception refused) when (refused is IOException or UnauthorizedAccessException)
                {
                    // Somebody else's to make.
                }
            }

            Assert.Skip("no control group that limits threads can be made here");
            return null!;
        }

        public void Dispose() => Directory.Delete(_folder);
    }
}
