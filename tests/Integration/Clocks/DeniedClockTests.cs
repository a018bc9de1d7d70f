using System.Runtime.InteropServices;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Clocks;

/// <summary>A service where a sandbox does not let it ask the kernel how good its clock is.</summary>
public sealed class DeniedClockTests
{
    // A seccomp filter of struct sock_filter: load the call's number; adjtimex and clock_adjtime give EPERM.
    private const string Sandbox = """
        import ctypes, os, struct, sys
        filters = b"".join(struct.pack("<HBBI", *step) for step in [
            (0x20, 0, 0, 0), (0x15, 1, 0, 159), (0x15, 0, 1, 305), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000)])
        program = ctypes.create_string_buffer(filters, len(filters))
        header = struct.pack("<HxxxxxxQ", len(filters) // 8, ctypes.addressof(program))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.create_string_buffer(header, len(header)), 0, 0) == 0
        os.execv(os.environ["PROGRAM"], ["redis-latency", "producer", *sys.argv[1:]])
        """;

    [Fact]
    public async Task Run_WhereAdjtimexIsDenied_SaysSoAndMeasuresAllTheSame()
    {
        ServerRequirement.Require("python3");
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && RuntimeInformation.OSArchitecture == Architecture.X64,
            "The filter knows the numbers of x64 only.");
        var arguments = "--rate 500 --iterations 500 --warmup 0 --live none";
        await using var producer = ServiceProcess.StartShell($"""
            cat >sandbox.py <<'END'
            {Sandbox}
            END
            exec python3 sandbox.py {arguments}
            """);

        // A machine too busy to keep the schedule makes the run invalid; what is asked here is that it measures.
        (await producer.End()).ShouldBeOneOf([0, 4], producer.ToString());

        var run = SavedRun.Of(producer);
        run.Count(Counted.Returned).ShouldBe(500);
        var claim = run.Summary.OneWay.ShouldHaveSingleItem().Claims.Single(claim => claim.Name == "utc");
        claim.IsAccepted.ShouldBeFalse();
        claim.Reason.ShouldContain("adjtimex is denied");
    }
}
