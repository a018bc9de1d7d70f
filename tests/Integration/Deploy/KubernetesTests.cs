using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The manifests of <c>deploy/kubernetes</c> are understood, and agree with the program.</summary>
public sealed class KubernetesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-kubernetes-").FullName;

    [Fact]
    public void Files_AreUnderstoodAsTheyStand() =>
        Manifests.Files.Select(file => (file, Manifests.ProblemWith(File.ReadAllText(file))))
            .Where(one => one.Item2 is not null).ShouldBeEmpty();

    [Fact]
    public async Task Overlays_AreUnderstood_AndAgreeWithTheProgram()
    {
        foreach (var overlay in Manifests.Overlays)
        {
            var (text, problem) = await Manifests.Render(overlay);

            problem.ShouldBeNull();
            Manifests.ProblemWith(text).ShouldBeNull();
            (await Manifests.Disagreements(text)).ShouldBeEmpty(overlay);
        }
    }

    /// <summary>A key that nobody knows, a value that is none of the allowed: what an API server refuses.</summary>
    [Theory]
    [InlineData("components/load/load.yaml", "completionMode: Indexed", "completionMode: Indexd", "Indexd")]
    [InlineData("components/load/load.yaml", "parallelism: 4", "paralelism: 4", "paralelism")]
    [InlineData("components/consumer/consumer.yaml", "type: Recreate", "type: Restart", "Restart")]
    [InlineData("components/pod/deployment.yaml", "drop: [ALL]", "dropped: [ALL]", "dropped")]
    [InlineData("base/network.yaml", "protocol: UDP, port: 7777", "protocol: UPD, port: 7777", "UPD")]
    public void Fault_OfAFile_IsFound(string file, string right, string wrong, string named) =>
        Manifests.ProblemWith(Altered(File.ReadAllText(Path.Combine(Manifests.Folder, file)), right, wrong))
            .ShouldNotBeNull().ShouldContain(named);

    [Theory]
    [InlineData("components/consumer/consumer.yaml", "args: [consumer,", "args: [consumer, --streems=2,", "--streems")]
    [InlineData("base/kustomization.yaml", "REDISLATENCY__Run__Name", "REDISLATENCY__Run__Nam", "Run:Nam")]
    [InlineData("base/kustomization.yaml", "0.0.0.0:9121", "0.0.0.0:9122", "served at 9122")]
    [InlineData("components/consumer/consumer.yaml", "udp://0.0.0.0:7777", "udp://0.0.0.0:7778", "serves 7778")]
    [InlineData("base/network.yaml", "protocol: UDP, port: 7777", "protocol: UDP, port: 7779", "lets port 7777 in")]
    [InlineData("components/consumer/consumer.yaml", "path: /readyz", "path: /ready", "/ready is not /readyz")]
    [InlineData("components/pod/deployment.yaml", "limits: { cpu: \"2\"", "limits: { cpu: \"3\"", "not Guaranteed")]
    [InlineData("components/pod/deployment.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "more than it needs")]
    [InlineData("components/pod/deployment.yaml", "mountPath: /out", "mountPath: /results", "/out is on no volume")]
    public async Task Fault_OfAnOverlay_IsFound(string file, string right, string wrong, string named)
    {
        var (text, _) = await Render("eu-west", file, right, wrong);

        (await Manifests.Disagreements(text)).ShouldContain(problem => problem.Contains(named));
    }

    // What a region's overlay can break: the names by which pods find their settings, a component.
    [Theory]
    [InlineData("- destination=", "- destinaton=", "there is no destination")]
    [InlineData("- name: servers", "- name: server", "there is no redis in a ConfigMap servers")]
    [InlineData("behavior: merge", "behavior: replace", "Telemetry")]
    [InlineData("- name: redis-latency\n    behavior", "- name: redis-latncy\n    behavior", "latncy")]
    [InlineData("components/sync", "components/snyc", "snyc")]
    public async Task Fault_ThatBreaksAName_IsFound(string right, string wrong, string named)
    {
        var (text, problem) = await Render("us-east", "overlays/us-east/kustomization.yaml", right, wrong);

        string[] found;
        try
        {
            found = problem is null ? [.. await Manifests.Disagreements(text)] : [problem];
        }
        catch (KeyNotFoundException missing)
        {
            found = [missing.Message];
        }

        found.ShouldContain(one => one.Contains(named), string.Join('\n', found));
    }

    /// <summary>With a kubectl that notes what it is asked; no API server can be had here.</summary>
    [Theory]
    [InlineData("Complete", 0)]
    [InlineData("Failed", 1)]
    public async Task Run_AppliesAll_WaitsForJobs_Collects_AndMergesLast(string state, int expected)
    {
        await using var run = ServiceProcess.StartShell($$"""
            mkdir '{{_folder}}/bin'
            cat >'{{_folder}}/bin/kubectl' <<'END'
            #!/bin/sh
            echo "$*" >>'{{_folder}}/asked'
            case "$*" in
                *east*get?jobs*) echo producer merge ;;
                *get?job?producer*) echo {{state}} ;;
                *get?job?merge*) echo SuccessCriteriaMet Complete ;;
                *get?pods*) echo pod ;;
                *logs?pod) echo "RESULT of $2" ;;
                *logs?job/merge) echo MERGED ;;
            esac
            END
            chmod +x '{{_folder}}/bin/kubectl'
            PATH='{{_folder}}/bin':$PATH REDISLATENCY_RUN_PAUSE=0 \
                exec '{{Path.Combine(Manifests.Folder, "run")}}' west=eu-west east=us-east
            """);

        (await run.End()).ShouldBe(expected, run.ToString());
        run.Output.ToString().ShouldBe("MERGED");
        var results = Path.Combine(run.Folder, "results");
        Directory.GetFiles(results, "pod.log", SearchOption.AllDirectories).Select(File.ReadAllText)
            .ShouldBe(["RESULT of west\n", "RESULT of east\n"], ignoreOrder: true);
        var asked = File.ReadAllText(Path.Combine(_folder, "asked"));
        asked.ShouldMatch("(?s)west apply .*/eu-west\n.*east apply .*/us-east\n.*get job producer.*patch job merge");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Altered(string text, string right, string wrong)
    {
        text.ShouldContain(right);
        return text.Replace(right, wrong, StringComparison.Ordinal);
    }

    // Of a copy with one mistake in it.
    private async Task<(string Text, string? Problem)> Render(string overlay, string file, string right, string wrong)
    {
        await using var copy = ServiceProcess.StartScript("cp", "-r", Manifests.Folder, Path.Combine(_folder, "copy"));
        (await copy.End()).ShouldBe(0);
        var altered = Path.Combine(_folder, "copy", file);
        await File.WriteAllTextAsync(
            altered,
            Altered(await File.ReadAllTextAsync(altered, TestContext.Current.CancellationToken), right, wrong),
            TestContext.Current.CancellationToken);
        return await Manifests.Render(Path.Combine(_folder, "copy", "overlays", overlay));
    }
}
