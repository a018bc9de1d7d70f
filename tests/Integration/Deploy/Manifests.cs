using k8s;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>What <c>deploy/kubernetes</c> holds, read as an API server does, and held against the program.</summary>
internal static class Manifests
{
    private const string Container = "redis-latency";

    // What an API server takes for these, of those that we use: the reader has them as text.
    private static readonly Dictionary<string, string[]> Choices = new(StringComparer.Ordinal)
    {
        ["restartPolicy"] = ["Always", "OnFailure", "Never"],
        ["completionMode"] = ["NonIndexed", "Indexed"],
        ["podReplacementPolicy"] = ["TerminatingOrFailed", "Failed"],
        ["action"] = ["Ignore", "FailJob", "FailIndex", "Count"],
        ["operator"] = ["In", "NotIn"],
        ["whenUnsatisfiable"] = ["DoNotSchedule", "ScheduleAnyway"],
        ["protocol"] = ["TCP", "UDP", "SCTP"],
        ["policyTypes"] = ["Ingress", "Egress"],
        ["accessModes"] = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"],
        ["strategy.type"] = ["Recreate", "RollingUpdate"],
        ["seccompProfile.type"] = ["RuntimeDefault", "Localhost", "Unconfined"],
    };

    public static string Folder { get; } = RepositoryRoot.Combine("deploy", "kubernetes");

    /// <summary>The files that hold objects; the others are kustomize's own.</summary>
    public static IEnumerable<string> Files => Directory.EnumerateFiles(Folder, "*.yaml", SearchOption.AllDirectories)
        .Where(file => Path.GetFileName(file) != "kustomization.yaml");

    /// <summary>The overlays, by their folders.</summary>
    public static IEnumerable<string> Overlays => Directory.EnumerateDirectories(Path.Combine(Folder, "overlays"));

    /// <summary>Reads objects strictly.</summary>
    /// <returns>What is wrong with them, or null.</returns>
    public static string? ProblemWith(string text)
    {
        try
        {
            KubernetesYaml.LoadAllFromString(text, strict: true).ShouldNotBeEmpty();
        }
        catch (Exception failure) when (failure is not ShouldAssertException)
        {
            return failure.GetBaseException().Message;
        }

        return ManifestNode.Parse(text).SelectMany(document => document.All())
            .Where(node => Choices.ContainsKey(node.Name) || Choices.ContainsKey(node.NameWithParent))
            .SelectMany(node => node.Texts().Except(
                Choices.GetValueOrDefault(node.NameWithParent) ?? Choices[node.Name], StringComparer.Ordinal)
                .Select(wrong => $"{node.NameWithParent}: {wrong}"))
            .FirstOrDefault();
    }

    /// <summary>Renders an overlay by kubectl; skips the test where there is none that can.</summary>
    /// <returns>The text, or what is wrong.</returns>
    public static async Task<(string Text, string? Problem)> Render(string overlay)
    {
        Assert.SkipWhen(ServerRequirement.Find("kubectl") is null, "kubectl is not on the PATH.");
        await using var kubectl = ServiceProcess.StartScript("kubectl", "kustomize", overlay);
        var code = await kubectl.End();
        return (kubectl.Output.ToString(), code == 0 ? null : kubectl.Errors.ToString());
    }

    /// <summary>
    /// What a rendered overlay does not agree with itself or with the program in: options and settings, which it is
    /// asked about, pages and ports, names, rights, processors.
    /// </summary>
    public static async Task<IReadOnlyList<string>> Disagreements(string rendered)
    {
        var objects = KubernetesYaml.LoadAllFromString(rendered, strict: true);
        List<string> problems = [];
        foreach (var (name, pod) in objects.SelectMany(WorkloadPod.In))
        {
            var workload = new WorkloadPod(name, pod, objects);
            problems.AddRange(workload.Problems().Select(problem => $"{name}: {problem}"));
            if (await BuiltTool.ProblemWith(workload.Environment, [.. workload.Arguments]) is { } problem)
                problems.Add($"{name}: {problem}");
        }

        return problems;
    }
}
