using System.Reflection;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>Bicep's compiler on <c>deploy/azure</c>, or on a copy of <c>deploy</c>.</summary>
internal static class BicepCompiler
{
    private const string Subscription = "00000000-0000-0000-0000-000000000001";

    private static readonly string? Program = typeof(BicepCompiler).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(one => one.Key == "Bicep")?.Value;

    /// <summary>Compiles the template.</summary>
    /// <param name="deploy">The folder <c>deploy</c>.</param>
    /// <returns>What Azure is given, and what the compiler says of it.</returns>
    public static async Task<(string Template, string Said)> Build(string deploy)
    {
        await using var bicep = ServiceProcess.StartScript(
            Require(), "build", Path.Combine(deploy, "azure", "main.bicep"), "--stdout");
        await bicep.End();
        return (bicep.Output.ToString(), bicep.Errors.ToString());
    }

    /// <summary>
    /// Works out what Azure would make of template and parameters, as far as it can be known beforehand; the value of a
    /// secure parameter cannot.
    /// </summary>
    /// <param name="deploy">The folder <c>deploy</c>, a copy, to which the result is written.</param>
    /// <param name="password">The password, as the parameters take it: from the environment.</param>
    public static async Task<JsonNode> Predict(string deploy, string password)
    {
        var folder = Path.Combine(deploy, "azure");
        await using var bicep = ServiceProcess.StartScript(
            "env", $"REDIS_PASSWORD={password}", Require(), "snapshot", Path.Combine(folder, "pair.bicepparam"),
            "--subscription-id", Subscription, "--location", "eastus");
        (await bicep.End()).ShouldBe(0, bicep.ToString());
        bicep.ToString().ShouldNotContain("Warning");
        return JsonNode.Parse(await File.ReadAllTextAsync(
            Path.Combine(folder, "pair.snapshot.json"), TestContext.Current.CancellationToken))!;
    }

    private static string Require() =>
        ServerRequirement.RequireFile(Program, "dotnet restore tests/Integration brings it to linux-x64");
}
