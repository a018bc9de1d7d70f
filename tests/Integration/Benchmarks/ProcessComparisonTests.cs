namespace RedisLatency.Integration.Benchmarks;

public sealed class ProcessComparisonTests : IDisposable
{
    private readonly ComparisonRun _comparison = new();

    public void Dispose() => _comparison.Dispose();

    [Theory]
    [InlineData(true, "0.6: not met", 99)]
    [InlineData(false, "0.6: met", 0)]
    public async Task Goal_IsHeldAgainstTheWholeInterval(bool isOursSlow, string expected, int exitCode)
    {
        // Processor time, which is the same on a machine that is busy.
        const string Quick = "#!/bin/sh\n";
        const string Slow = Quick + "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done\n";

        var ended = await _comparison.Run(
            "processes", "--product", _comparison.Write("redis-latency", isOursSlow ? Slow : Quick),
            "--memtier", _comparison.Write("memtier", isOursSlow ? Quick : Slow), "--only", "memtier", "--pairs", "6");

        ended.Output.ShouldContain(expected, Case.Sensitive, ended.Errors);
        ended.ExitCode.ShouldBe(exitCode);
    }

    [Fact]
    public async Task Memtier_GetsTheWordsThatTheProductGets_WithOtherKeysForEachConnection()
    {
        const string Check =
            """
            case " $* " in
                *" -n allkeys --ratio 1:0 "*) ;;
                *" -t 1 -c 50 -d 100 "*" --pipeline 16 -n 160 --ratio 1:1 "*" --distinct-client-seed "*) ;;
                *" --pipeline "*) echo "unexpected: $*"; exit 1 ;;
            esac
            """;
        var memtier = _comparison.Write("memtier", "#!/bin/sh\n" + Check);
        var product = _comparison.Write(
            "redis-latency", "#!/bin/sh\n[ \"$1 $2\" = 'load memtier' ] || exit 1\n" + Check);

        var ended = await _comparison.Run(
            "processes", "--product", product, "--memtier", memtier, "--only", "memtier", "--pairs", "1", "--scale",
            "0.01");

        ended.Output.ShouldContain("| 800,000, pipeline 16, memtier_benchmark |", Case.Sensitive, ended.Errors);
    }

    [Fact]
    public async Task Ycsb_GetsTheWordsThatTheProductGets()
    {
        const string Check =
            """
            case "$*" in
                "load redis -P "*"/workloads/workloada -p redis.host=127.0.0.1 "*" -p recordcount=1000 "*" -threads 50")
                    echo '[INSERT], Return=OK, 1000' ;;
                "run redis -P "*"/workloads/workloada -p redis.host=127.0.0.1 "*" -p operationcount=1000 -threads 50")
                    echo '[READ], Return=OK, 499'; echo '[UPDATE], Return=OK, 501' ;;
                *) echo "unexpected: $*"; exit 1 ;;
            esac
            """;
        var product = _comparison.Write(
            "redis-latency", "#!/bin/sh\n[ \"$1 $2\" = 'load ycsb' ] || exit 1\nshift 2\n" + Check);

        var ended = await RunYcsb(product, Check);

        ended.Output.ShouldContain("| 100,000 inserts, YCSB |", Case.Sensitive, ended.Errors);
        ended.Output.ShouldContain("| 100,000 of workload a, YCSB |");
        ended.ExitCode.ShouldBe(0);
    }

    [Fact]
    public async Task YcsbOfWhichOperationsFailed_IsNoResult_ThoughItEndsWith0()
    {
        const string All = "echo '[INSERT], Return=OK, 1000'";
        var product = _comparison.Write("redis-latency", "#!/bin/sh\n" + All);

        var ended = await RunYcsb(product, "echo '[INSERT], Return=OK, 998'; echo '[INSERT], Return=ERROR, 2'");

        ended.Errors.ShouldContain("998 of 1000 operations were answered");
        ended.ExitCode.ShouldBe(1);
    }

    [Fact]
    public async Task WhatIsAskedForAndMissing_IsNamed()
    {
        var ended = await _comparison.Run(
            "processes", "--product", _comparison.Write("redis-latency", "#!/bin/sh\n"), "--only", "memtier",
            "--memtier", "no-such-memtier");

        ended.Errors.ShouldContain("no-such-memtier is not on the PATH");
        ended.ExitCode.ShouldBe(3);
    }

    [Theory]
    [InlineData("--pairs", "0")]
    [InlineData("--scale", "0")]
    [InlineData("--only", "nothing")]
    public async Task WrongUsage_IsRefused(string option, string value)
    {
        var ended = await _comparison.Run("processes", option, value);

        ended.Errors.ShouldContain(option);
        ended.ExitCode.ShouldBe(2);
    }

    private Task<(int ExitCode, string Output, string Errors)> RunYcsb(string product, string script)
    {
        var path = _comparison.Write("ycsb/bin/ycsb.sh", script);
        return _comparison.Run(
            "processes", "--product", product, "--ycsb", Path.GetDirectoryName(Path.GetDirectoryName(path))!, "--only",
            "ycsb", "--pairs", "1", "--scale", "0.01");
    }
}
